/** Finds what a patch adds to source files in order to cheat the tests. Pure. */
import type { FileChange } from '../../workspace/files/change.ts';
import { ecosystems } from '../index.ts';
import type { Cheat } from '../shared/cheats.ts';
import { getStateText, isTestHelper } from './test-role.ts';

const maxTextChars = 500_000;

/** The cheats that a change adds: those that the file did not have. Empty for languages without forms, and for huge files. */
export function findNewCheats({ path, before, after }: FileChange): readonly Cheat[] {
  const text = getStateText(after);
  if (text.length > maxTextChars) return [];
  const known = new Set(findCheatsIn(path, getStateText(before)).map(c => c.code));
  return findCheatsIn(path, text).filter(c => !known.has(c.code));
}

function findCheatsIn(path: string, text: string): readonly Cheat[] {
  const found = ecosystems
    .filter(e => Object.values(e.detection.sources ?? {}).some(s => s.test(path)))
    .flatMap(({ testCode }) => testCode?.cheats?.(text) ?? []);
  // a helper of tests is flagged as such, and may hold a clock
  return isTestHelper(path) ? found.filter(c => !c.does.startsWith('replaces')) : found;
}
