/** Tells whether a person asked for something that changes what tests expect. Pure. */
import { speaksOfFailingTest, withoutFences } from './failing-task.ts';

const tests = String.raw`\b(?:tests?|specs?|snapshots?|expectations?|fixtures?)\b`;
/** Where a wish begins: with the sentence, or behind another one. */
const wish = String.raw`(?:^|[.;:!?,]\s+|\b(?:please|and|then|must|should)\s+)`;
/** What stands between two words of one sentence; a dot inside a name ends none. */
const near = String.raw`(?:[^.!?\n]|\.(?=\S)){0,80}`;

const wishes: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:update|change|adapt|adjust|fix up|rewrite|regenerate)\b${near}${tests}`,
    'im',
  ),
  new RegExp(String.raw`${tests},? (?:too|as well|included)\b|${tests} may (?:be )?change`, 'im'),
  new RegExp(String.raw`${wish}rename\b`, 'im'),
  new RegExp(String.raw`${wish}deprecate\b`, 'im'),
  new RegExp(String.raw`${wish}(?:change|switch)\b${near}\bfrom\b${near}\bto\b`, 'im'),
  new RegExp(String.raw`${wish}replace\b${near}\b(?:with|by)\b`, 'im'),
  new RegExp(
    String.raw`\b(?:must|should|shall|make)\b${near}\b(?:now|instead of|rather than|no longer|by default)\b`,
    'im',
  ),
];

const forbids = new RegExp(
  String.raw`\b(?:without|never|not|no(?! longer)|nothing|none|don't|leave|keep|avoid)\b[^.!?;:,\n]{0,40}${tests}`,
  'i',
);

const checks = String.raw`\b(?:tests?|specs?|suite|ci|build|pipeline)\b`;
const broken = String.raw`\b(?:fail\w*|red|broken|breaks?|crash\w*|flaky)\b`;
/** Says of checks that they fail or have to pass: the task wants the code repaired. */
const ofFailure = new RegExp(
  String.raw`${checks}${near}${broken}|${broken}${near}${checks}|\bAssertionError\b|\b(?:make|get)\b${near}\b(?:pass|green)\b`,
  'i',
);

/** The words of the person: neither pasted code nor what they quote from others. */
function ownWords(task: string): string {
  return withoutFences(task)
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/^ *(?:>| {4}|\t).*$/gm, '')
    .replace(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/g, 'x');
}

/** What a person said: the task, and the paths of the plan that somebody approved. */
export interface PersonsWords {
  readonly task: string;
  readonly approved: readonly string[];
}

/**
 * True if the task names tests to adapt, a rename, or behaviour to change, or if a person approved a plan with all of these
 * files. A task about a test that fails wants the code repaired, and one that forbids changes of tests is taken at its word.
 */
export function mayChangeTests(
  { task, approved }: PersonsWords,
  changed: readonly string[],
): boolean {
  const words = ownWords(task);
  if (speaksOfFailingTest(task) || ofFailure.test(words) || forbids.test(words)) return false;
  const isApproved = changed.length > 0 && changed.every(path => approved.includes(path));
  return isApproved || wishes.some(pattern => pattern.test(words));
}
