/** Checks that a program which is being started has its pipes. */
import type { ChildProcess } from 'node:child_process';
import { PhotonError } from '../base/codes.ts';

/**
 * Returns the process. Node gives one without pipes if this process may open no more files; its error comes later, and
 * would end Photon.
 * @throws PhotonError `SYSTEM_LIMIT`.
 */
export function requirePipes<T extends ChildProcess>(child: T): T {
  // Node leaves it undefined there, whatever its type says; null says that no pipe was asked for
  const { stdout }: { stdout?: unknown } = child;
  if (stdout !== undefined) return child;
  child.on('error', () => {});
  // the timer of its time limit would keep this process
  child.emit('exit', null, null);
  const cause = Object.assign(new Error(), { code: 'EMFILE' });
  throw new PhotonError(
    'SYSTEM_LIMIT',
    `${child.spawnfile} could not be started: this process may open no more files.`,
    { cause },
  );
}
