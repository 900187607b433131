/** `photon validate`: checks what is in the work tree, before it is committed. */
import { resolve } from 'node:path';
import { loadPolicy, loadSettings } from '../agent/context/policy.ts';
import { renderPolicy } from '../report/policy-text.ts';
import { openShipped } from '../workspace/trusted/shipped.ts';
import { openFolderFiles } from '../workspace/trusted/trusted-files.ts';
import { parseArguments } from './arguments.ts';
import type { CommandHandler } from './terminal.ts';

export const validate: CommandHandler = async (args, terminal) => {
  const { values } = parseArguments(args, ['repo', 'config', 'agent-profile']);
  const files = openFolderFiles(resolve(String(values.repo ?? '.')));
  const given = {
    config: String(values.config ?? ''),
    'agent-profile': String(values['agent-profile'] ?? ''),
  };
  const settings = await loadSettings(given, files);
  const policy = await loadPolicy({
    settings,
    trusted: files,
    shipped: openShipped(terminal.root),
  });
  terminal.print(renderPolicy(policy));
  return 0;
};
