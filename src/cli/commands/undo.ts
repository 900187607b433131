/** `photon undo`: takes back what `photon run --apply` wrote into a work tree, the newest run first. */
import { findTop } from '../../process/programs.ts';
import { undoApplied } from '../../workspace/files/apply-to-checkout.ts';
import {
  type Backup,
  backupFolder,
  backupNames,
  readBackup,
} from '../../workspace/files/backups.ts';
import { parseArguments, repoOf, takeNone } from '../arguments.ts';
import { requireUntracked } from '../kept-runs.ts';
import type { CommandHandler } from '../terminal.ts';

export const undoApply: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo'], ['list', 'dry-run']);
  takeNone(positionals);
  const checkout = findTop(repoOf(values));
  await requireUntracked(checkout, backupFolder, terminal);
  const names = backupNames(checkout).toReversed();
  const [newest] = names;
  if (newest === undefined) {
    terminal.print('There is nothing to undo.\n');
    return 0;
  }
  if (values.list === true) {
    terminal.print(names.map(name => renderBackup(readBackup(checkout, name))).join(''));
    return 0;
  }
  const dryRun = values['dry-run'] === true;
  const backup = readBackup(checkout, newest);
  undoApplied(checkout, backup, { dryRun });
  terminal.print(`${dryRun ? 'Would undo' : 'Undone'}: ${renderBackup(backup)}`);
  return 0;
};

function renderBackup({ run, appliedAt, files }: Backup): string {
  const kind = ({ before, after }: Backup['files'][number]) => {
    if (before === null) return 'added   ';
    return after === null ? 'deleted ' : 'modified';
  };
  return [
    `run ${run}, ${new Date(appliedAt).toISOString()}`,
    ...files.map(file => `  ${kind(file)} ${file.path}`),
    '',
  ].join('\n');
}
