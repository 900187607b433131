/** Says why something cannot be written, in words instead of the system's. */
import { PhotonError } from '../../base/codes.ts';
import { describeSystemError, elsewhere } from '../../base/system-errors.ts';

/** What the system's codes mean for a path that is written to, besides those of `system-errors.ts`. */
const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  ENOENT: ['the folder around it does not exist', elsewhere],
  ENOTDIR: ['a file is in the place of a folder', elsewhere],
  EEXIST: ['something else is in its place', 'Choose a name that does not exist yet.'],
  EISDIR: ['a folder is in its place', 'Choose a name that does not exist yet.'],
  ENAMETOOLONG: ['its name is too long', 'Choose a shorter name.'],
};

/**
 * The error for a write that failed: `DISK`, or `SYSTEM_LIMIT`.
 * @param what what cannot be written, as the beginning of a sentence, such as `x.json cannot be written`.
 * @param hint what to do if the system's code does not say more.
 */
export function diskError(what: string, cause: unknown, hint = elsewhere): PhotonError {
  if (cause instanceof PhotonError) return cause;
  const system = describeSystemError(cause);
  if (system !== undefined)
    return new PhotonError(system.code, `${what}: ${system.reason}.`, { hint: system.hint, cause });
  const { code = '', message = String(cause) } = (cause ?? {}) as NodeJS.ErrnoException;
  const [reason, advice] = reasons[code] ?? [
    code === '' ? message : `the system says ${code}`,
    hint,
  ];
  return new PhotonError('DISK', `${what}: ${reason}.`, { hint: advice, cause });
}
