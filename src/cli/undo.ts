/** `photon undo`: takes back what `photon run --apply` wrote into a work tree, the newest run first. */
import { resolve } from 'node:path';
import { PhotonError } from '../codes.ts';
import { findPrograms, findTop } from '../process/programs.ts';
import { undoApplied } from '../workspace/files/apply-to-checkout.ts';
import { type Backup, backupFolder, backupNames, readBackup } from '../workspace/files/backups.ts';
import { runGit } from '../workspace/git/git-process.ts';
import { parseArguments } from './arguments.ts';
import type { CommandHandler, Terminal } from './terminal.ts';

export const undoApply: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo'], ['list', 'dry-run']);
  if (positionals.length > 0)
    throw new PhotonError('USAGE', `Unexpected argument ${JSON.stringify(positionals[0])}.`);
  const checkout = findTop(resolve(String(values.repo ?? '.')));
  const names = backupNames(checkout).toReversed();
  const [newest] = names;
  if (newest === undefined) {
    terminal.print('There is nothing to undo.\n');
    return 0;
  }
  await requireOwnBackups(checkout, terminal);
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

/** A clone can hold backups that somebody else made, which would write files of their choice. */
async function requireOwnBackups(checkout: string, { env }: Terminal): Promise<void> {
  const programs = findPrograms(env.PATH ?? '', [checkout]);
  const { stdout } = await runGit({
    args: ['ls-files', '-z', '--', `:(icase)${backupFolder}`],
    cwd: checkout,
    programs,
  });
  const [tracked] = stdout.toString('utf8').split('\0');
  if (tracked)
    throw new PhotonError('BACKUP_INVALID', `${tracked} is a tracked file of the repository.`);
}

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
