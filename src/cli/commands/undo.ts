/** `photon undo`: takes back what `photon run --apply` wrote into a work tree, the newest run first. */
import { findTop } from '../../process/programs.ts';
import { undoApplied } from '../../workspace/files/apply-to-checkout.ts';
import {
  type Backup,
  backupFolder,
  backupNames,
  readBackup,
} from '../../workspace/files/backups.ts';
import { changeKind } from '../../workspace/files/change.ts';
import { type Arguments, command, flag, resolveRepo, shared } from '../command.ts';
import { requireUntracked } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  repo: shared.repo,
  list: flag('Show the runs that can be undone, newest first'),
};

export const undo = command({
  options,
  usage: [['[flags]', '', undoNewest]],
  examples: ['photon undo --list', 'photon undo'],
});

async function undoNewest({ values }: Arguments<typeof options>, terminal: Terminal) {
  const checkout = findTop(resolveRepo(values));
  await requireUntracked(checkout, backupFolder, terminal);
  const names = backupNames(checkout).toReversed();
  const [newest] = names;
  if (newest === undefined) {
    terminal.print('There is nothing to undo.\n');
    return 0;
  }
  if (values.list) {
    terminal.print(names.map(name => renderBackup(readBackup(checkout, name))).join(''));
    return 0;
  }
  const backup = readBackup(checkout, newest);
  undoApplied(checkout, backup);
  terminal.print(`Undone: ${renderBackup(backup)}`);
  return 0;
}

function renderBackup({ run, appliedAt, files }: Backup): string {
  return [
    `run ${run}, ${new Date(appliedAt).toISOString()}`,
    ...files.map(file => `  ${changeKind(file).padEnd(8)} ${file.path}`),
    '',
  ].join('\n');
}
