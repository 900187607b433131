/** The runs that a checkout keeps, for the commands that read them. */
import { join, resolve } from 'node:path';
import { PhotonError } from '../base/codes.ts';
import type { Outcome } from '../base/outcome.ts';
import { parseJson } from '../base/schema-issue.ts';
import { attempt } from '../base/system-errors.ts';
import { findTop } from '../process/programs.ts';
import type { RunLocation } from '../report/terminal/run-text.ts';
import type { FinishedRun } from '../run/stages.ts';
import {
  filesOfRun,
  findKeptRun,
  keepRun,
  mayNameRun,
  shortId,
} from '../workspace/files/local-runs.ts';
import { runsFolder } from '../workspace/files/locate.ts';
import { readNamedFile } from '../workspace/files/read-foreign.ts';
import { exists, listFiles, type RunFiles } from '../workspace/files/run-folder.ts';
import { requireCheckout } from '../workspace/git/checkout-state.ts';
import { runGit } from '../workspace/git/git-process.ts';
import { findTerminalPrograms, type Terminal } from './terminal.ts';

/** A finished run, its files kept in the checkout unless the user named a folder; a note says why they stay where they are. */
export function keepAndPlace(
  { outcome, files }: FinishedRun,
  top: string,
  out: string | undefined,
): { readonly outcome: Outcome; readonly files: RunFiles; readonly place: RunLocation } {
  const at = (now: RunFiles, name: string) => ({
    files: now,
    place: { files: listFiles(now.path), name, from: resolve('.'), top },
  });
  if (out !== undefined) return { outcome, ...at(files, '') };
  try {
    return { outcome, ...at(keepRun(top, outcome.runId, files), shortId(outcome.runId)) };
  } catch (error) {
    const note = `The files of the run could not be kept in ${runsFolder}: ${(error as Error).message}`;
    return { outcome: { ...outcome, notes: [...outcome.notes, note] }, ...at(files, '') };
  }
}

/** A kept run. */
interface KeptRun {
  readonly id: string;
  readonly folder: string;
  readonly files: readonly string[];
  /** Undefined if it is missing or cannot be read. */
  readonly outcome: Outcome | undefined;
}

/** Opens the run that a user names. @throws PhotonError `RUN_UNKNOWN`, `BACKUP_INVALID`. */
export async function openKeptRun(
  repo: string,
  named: string,
  terminal: Terminal,
): Promise<KeptRun & { readonly checkout: string }> {
  const checkout = findTop(repo);
  await requireUntracked(checkout, runsFolder, terminal);
  return { checkout, ...readKeptRun(checkout, findKeptRun(checkout, named)) };
}

/**
 * The path that a user names, or else that file of the kept run that they name by its id or as `last`; without a file, its
 * folder. @throws PhotonError `RUN_UNKNOWN`, `BACKUP_INVALID`, `CHECKOUT_MISSING`.
 */
export async function findRunPath(
  named: string,
  terminal: Terminal,
  { repo = '.', file = '' }: { readonly repo?: string; readonly file?: string },
): Promise<string> {
  if (!mayNameRun(named) || exists(named)) return named;
  return join((await openKeptRun(repo, named, terminal)).folder, file);
}

/** Reads a run by its id. */
export function readKeptRun(checkout: string, id: string): KeptRun {
  const folder = join(checkout, runsFolder, id);
  const files = filesOfRun(checkout, id).filter(f => f.bytes > 0);
  return {
    id,
    folder,
    files: files.map(f => join(folder, f.name)),
    outcome: files.some(f => f.name === 'outcome.json') ? readOutcome(folder) : undefined,
  };
}

function readOutcome(folder: string): Outcome | undefined {
  const text = attempt(() => readNamedFile(join(folder, 'outcome.json'))) ?? 'null';
  const data = parseJson(text);
  const { schema, status, code } = (data ?? {}) as Partial<Outcome>;
  const isOutcome = schema === 1 && typeof status === 'string' && typeof code === 'string';
  return isOutcome ? (data as Outcome) : undefined;
}

/**
 * A clone can hold files that somebody else made, which a command would believe: tracked files, a link or a submodule in
 * the place of the folder or above it, or a repository of its own there.
 * @throws PhotonError `BACKUP_INVALID` for such a folder, `CHECKOUT_MISSING` outside of a checkout.
 */
export async function requireUntracked(
  checkout: string,
  folder: string,
  terminal: Terminal,
): Promise<void> {
  const place = { cwd: checkout, programs: findTerminalPrograms(terminal, checkout) };
  await requireCheckout(place);
  const above = folder.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'));
  const args = ['ls-files', '-z', '--', ...above.map(path => `:(icase)${path}`)];
  const { stdout } = await runGit({ ...place, args });
  const isControlled = (path: string) => {
    const lower = path.toLowerCase();
    return above.includes(lower) || lower.startsWith(`${folder}/`);
  };
  const tracked = stdout.toString('utf8').split('\0').find(isControlled);
  const nested = above.find(path => exists(join(checkout, path, '.git')));
  if (tracked !== undefined && above.includes(tracked.toLowerCase()))
    throw notOurs(`${tracked} is a submodule or a link that the repository tracks.`);
  if (tracked !== undefined) throw notOurs(`${tracked} is a tracked file of the repository.`);
  if (nested !== undefined) throw notOurs(`${nested} is a git repository of its own.`);
}

const notOurs = (message: string) => new PhotonError('BACKUP_INVALID', message);
