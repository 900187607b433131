/** Tells whether a task asks for something that changes what tests expect. Pure. */
import { speaksOfFailingTest } from './failing-task.ts';

const tests = String.raw`\b(?:tests?|specs?|snapshots?|expectations?|fixtures?)\b`;

const requests: readonly RegExp[] = [
  /\brenam(?:e|es|ed|ing)\b/i,
  new RegExp(
    String.raw`\b(?:update|change|adapt|adjust|fix up|rewrite)\b[^.!?\n]{0,60}${tests}|${tests},? (?:too|as well|included)\b`,
    'i',
  ),
  /\b(?:change|switch|replace)\b[^.!?\n]{0,80}\b(?:to|with|by|from)\b/i,
  /\b(?:instead of|no longer|by default|must now|should now|deprecate[sd]?)\b/i,
];

const forbids = new RegExp(
  String.raw`\b(?:without|never|not|don't|leave|keep)\b[^.!?\n]{0,40}${tests}`,
  'i',
);

const fence = /^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ *\1|$(?![\s\S]))/gm;

/**
 * True if the task names tests to adapt, a rename, or behaviour to change. A task that speaks of a failing test wants the
 * code repaired, and one that forbids changes of tests is taken at its word.
 */
export function asksForChangedTests(task: string): boolean {
  const text = task.slice(0, 20_000).replace(fence, '\n');
  if (speaksOfFailingTest(task) || forbids.test(text)) return false;
  return requests.some(pattern => pattern.test(text));
}
