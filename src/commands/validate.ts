/** `photon validate`: checks what is in the work tree, before it is committed. */
import { resolve } from 'node:path';
import { loadLaw, loadSettings } from '../agent/law.ts';
import { renderLaw } from '../report/law-text.ts';
import { openShipped } from '../session/shipped.ts';
import { openFolderFiles } from '../session/trusted-files.ts';
import { parseArguments } from './arguments.ts';
import type { Command } from './terminal.ts';

export const validate: Command = async (args, terminal) => {
  const { values } = parseArguments(args, ['repo', 'config', 'agent-profile']);
  const files = openFolderFiles(resolve(String(values.repo ?? '.')));
  const given = {
    config: String(values.config ?? ''),
    'agent-profile': String(values['agent-profile'] ?? ''),
  };
  const settings = await loadSettings(given, files);
  const law = await loadLaw({ settings, trusted: files, shipped: openShipped(terminal.root) });
  terminal.print(renderLaw(law));
  return 0;
};
