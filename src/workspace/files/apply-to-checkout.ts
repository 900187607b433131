/** Writes a patch into the user's work tree, for `photon run --apply`. Nothing else writes there. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PhotonError } from '../../codes.ts';
import type { FileChange } from './change.ts';

/**
 * Writes a verified patch into the work tree: every file or none. It refuses when a file differs from
 * the commit that the run started at, because that is the user's unsaved work.
 * @throws PhotonError `CHECKOUT_MISMATCH`, `DISK`.
 */
export function applyToCheckout(checkout: string, changes: readonly FileChange[]): void {
  for (const change of changes) requireUnchanged(checkout, change);
  const done: FileChange[] = [];
  try {
    for (const change of changes) {
      writeState(join(checkout, change.path), change.after);
      done.push(change);
    }
  } catch (cause) {
    for (const change of done.reverse()) writeState(join(checkout, change.path), change.before);
    throw new PhotonError('DISK', `the work tree cannot be written: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function requireUnchanged(checkout: string, { path, before }: FileChange): void {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = lstatSync(join(checkout, folder), { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory()) throw mismatch(path);
  }
  const found = lstatSync(join(checkout, path), { throwIfNoEntry: false });
  if (before === null && found === undefined) return;
  const same =
    before !== null &&
    found?.isFile() &&
    readFileSync(join(checkout, path)).equals(Buffer.from(before.bytes));
  if (!same) throw mismatch(path);
}

function mismatch(path: string): PhotonError {
  const hint = 'Commit or stash your changes, then run again; the patch file holds the result.';
  return new PhotonError(
    'CHECKOUT_MISMATCH',
    `${path} differs from the commit that the run started at.`,
    { hint },
  );
}

function writeState(target: string, state: FileChange['after']): void {
  if (state === null) {
    rmSync(target, { force: true });
    return;
  }
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.photon-new`;
  writeFileSync(draft, state.bytes, { flag: 'wx' });
  chmodSync(draft, state.mode === '100755' ? 0o755 : 0o644);
  renameSync(draft, target);
}
