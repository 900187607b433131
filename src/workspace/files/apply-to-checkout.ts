/** Writes a patch into the user's work tree for `photon run --apply`, and takes it back for `photon undo`. */
import { lstatSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { digest } from '../../base/digest.ts';
import { listFirst } from '../../base/plural.ts';
import { type Backup, type DiskFile, dropBackup, keepBackup } from './backups.ts';
import type { FileChange } from './change.ts';
import { diskError, replaceFile } from './replace-file.ts';

/** A verified patch, and the run that made it. */
export interface AppliedPatch {
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly changes: readonly FileChange[];
}

/** A file to write: what is there, and what shall be there; undefined for no file. */
interface Replacement {
  readonly path: string;
  readonly from: DiskFile | undefined;
  readonly to: DiskFile | undefined;
}

/**
 * Writes a verified patch into the work tree: every file or none. Before that, it keeps a backup, so that
 * `undoApplied` can take the patch back, even when the process is killed halfway. It refuses when a file
 * differs from the commit that the run started at, because that is the user's unsaved work.
 * @throws PhotonError `CHECKOUT_MISMATCH`, `DISK`.
 */
export function applyToCheckout(checkout: string, { run, at, changes }: AppliedPatch): void {
  const all = changes.map(({ path, before, after }): Replacement => {
    const from = readPlain(checkout, path);
    if (from === 'other') throw mismatch(path);
    if (!holds(from, before && digest(before.bytes)))
      throw mismatch(path, holds(from, after && digest(after.bytes)));
    const permissions = after?.mode === '100755' ? 0o755 : 0o644;
    return { path, from, to: after && { bytes: after.bytes, permissions } };
  });
  const files = all.map(({ path, from, to }) => ({
    path,
    before: from,
    after: to && digest(to.bytes),
  }));
  const backup = keepBackup(checkout, { run, appliedAt: at, files });
  try {
    replaceAll(checkout, all);
  } catch (error) {
    dropBackup(checkout, backup);
    throw error;
  }
}

/**
 * Checks before a run that no tracked file differs from the commit, because the patch of the run may change it.
 * @throws PhotonError `CHECKOUT_MISMATCH`.
 */
export function requireUntouched(changed: readonly string[]): void {
  if (changed.length === 0) return;
  throw new PhotonError(
    'CHECKOUT_MISMATCH',
    `--apply could overwrite unsaved changes: ${listFirst(changed, String, { most: 5 })}.`,
    {
      hint: 'Commit or stash them, or take an earlier patch back with photon undo. Or run without --apply, and use photon apply later.',
    },
  );
}

/**
 * Takes back what a run wrote: every file or none. A file that is back already counts as done, so a call
 * that was killed can be repeated.
 * @throws PhotonError `BACKUP_CHANGED` with every file that changed since; `DISK`.
 */
export function undoApplied(checkout: string, backup: Backup): void {
  const found = backup.files.map(file => ({ ...file, now: readPlain(checkout, file.path) }));
  const changed = found.filter(
    ({ now, before, after }) =>
      now === 'other' || !(holds(now, after) || holds(now, before && digest(before.bytes))),
  );
  if (changed.length > 0)
    throw new PhotonError(
      'BACKUP_CHANGED',
      `These files changed after run ${backup.run} wrote them: ${changed.map(f => f.path).join(', ')}. Nothing was undone.`,
    );
  replaceAll(
    checkout,
    found.map(({ path, now, before }) => ({ path, from: now as DiskFile | undefined, to: before })),
  );
  dropBackup(checkout, backup.name);
}

/** The regular file at a path; undefined when nothing is there; `other` for a link, a folder, or a link on the way. */
function readPlain(checkout: string, path: string): DiskFile | undefined | 'other' {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = lstatSync(join(checkout, folder), { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory()) return 'other';
  }
  const found = lstatSync(join(checkout, path), { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) return 'other';
  return { bytes: readFileSync(join(checkout, path)), permissions: found.mode & 0o777 };
}

function holds(file: DiskFile | undefined, sha256: string | undefined): boolean {
  return file === undefined ? sha256 === undefined : digest(file.bytes) === sha256;
}

/** Writes every file, or puts back the ones that it wrote. */
function replaceAll(checkout: string, all: readonly Replacement[]): void {
  const done: Replacement[] = [];
  try {
    for (const each of all) {
      writeState(checkout, each.path, each.to);
      done.push(each);
    }
  } catch (cause) {
    for (const { path, from } of done.reverse()) writeState(checkout, path, from);
    throw diskError('The work tree cannot be written', cause);
  }
}

function writeState(checkout: string, path: string, state: DiskFile | undefined): void {
  if (state !== undefined) {
    replaceFile(join(checkout, path), state.bytes, state.permissions);
    return;
  }
  rmSync(join(checkout, path), { force: true });
  removeEmptyFolders(checkout, dirname(path));
}

/** Removes folders that became empty, from the inside out, as git does. */
function removeEmptyFolders(checkout: string, innermost: string): void {
  for (let folder = innermost; folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(checkout, folder));
    } catch {
      return; // it is not empty
    }
  }
}

function mismatch(path: string, isDone = false): PhotonError {
  const hint = isDone
    ? 'photon undo takes back what photon apply wrote.'
    : 'Commit or stash your changes, then use photon apply. If the commit changed since the run, use git apply --3way with the patch file.';
  const how = isDone
    ? 'is as the patch of the run makes it already'
    : 'differs from the commit that the run started at';
  return new PhotonError('CHECKOUT_MISMATCH', `${path} ${how}.`, { hint });
}
