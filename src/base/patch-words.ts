/** What may be said of a patch: `verified` is said only if a verification passed on it. Pure. */
import type { Code } from './codes.ts';
import type { Verification } from './outcome.ts';

/** What is known of how a patch was checked; null or absent if nothing was. */
type Checked = Pick<Verification, 'passed'> | null | undefined;

/** A patch, or what it became, by what was proven of it: `verified commit` or `unverified commit`. */
export function provenAs(checked: Checked, thing = 'patch'): string {
  return `${checked?.passed === true ? 'verified' : 'unverified'} ${thing}`;
}

/** `a verified commit`, `an unverified commit`. */
export function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** Codes of a run that ended with a patch. */
export type PatchCode = Extract<
  Code,
  'COMMITTED' | 'SUGGESTED' | 'APPLIED' | 'PATCH_WRITTEN' | 'DRY_RUN' | 'STAGED'
>;

const ends: Readonly<Record<PatchCode, string>> = {
  COMMITTED: 'was delivered.',
  SUGGESTED: 'was suggested in a review.',
  APPLIED: 'was written to the working folder. To take it back, run photon undo.',
  PATCH_WRITTEN: 'was written to a file.',
  DRY_RUN: 'was delivered nowhere, because this is a dry run.',
  STAGED: 'is shown, but not delivered, because this is a staged run.',
};

/** One sentence on what became of a patch. */
export function patchMessage(code: PatchCode, checked: Checked): string {
  return `The ${provenAs(checked)} ${ends[code]}`;
}
