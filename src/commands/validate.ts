/** `photon validate`: checks what is in the work tree, before it is committed. */
import { resolve } from 'node:path';
import { loadLaw, loadSettings } from '../agent/law.ts';
import { openShipped } from '../session/shipped.ts';
import { openFolderFiles } from '../session/trusted-files.ts';
import { parseArguments } from './arguments.ts';
import type { Command } from './terminal.ts';

export const validate: Command = async (args, terminal) => {
  const { values } = parseArguments(args, ['repo', 'config']);
  const files = openFolderFiles(resolve(String(values.repo ?? '.')));
  const settings = await loadSettings({ config: String(values.config ?? '') }, files);
  const law = await loadLaw({ settings, trusted: files, shipped: openShipped(terminal.root) });
  const rules = Object.values(law.constitution.rules);
  const named = law.constitution.folders.map(f => f.folder);
  const folders = named.length === 0 ? '' : `, folders of their own: ${named.join(', ')}`;
  terminal.print(
    [
      `configuration: ${settings.configPath}, ${settings.maintenance.length} maintenance tasks`,
      `constitution:  ${law.constitution.version}, sha256 ${law.constitutionSha256}, ${rules.length} rules${folders}`,
      `skills:        ${law.skills.map(s => s.name).join(', ')}`,
      'all valid\n',
    ].join('\n'),
  );
  return 0;
};
