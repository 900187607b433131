/** What the text of a task says of tests: that one fails, or that a person asked for something that changes what they expect. Pure. */

const test = String.raw`\b(?:unit |e2e |integration )?(?:tests?|specs?|test (?:cases?|suites?)|suite)\b`;
const fails = String.raw`\b(?:fail(?:s|ed|ing|ures?)?|red|do(?:es)? not pass|doesn't pass|don't pass|not passing)\b`;

/** What stands between two words of one sentence; a dot inside a name or path ends none. */
const near = String.raw`(?:[^.!?\n]|\.(?=\S)){0,80}`;

/** Within one sentence, in either order. */
const speaksOfFailure = new RegExp(`${fails}${near}${test}|${test}${near}${fails}`, 'i');

/** A wish that no test fails, or that a new one does. */
const isPromise = (text: string) => denial.test(text) || request.test(text);
const denial =
  /\b(?:no|without|never|nor|(?:must|should) not|(?:should|must)n't|cannot|may not|unless|until)\b/i;
const request =
  /\b(keep|ensure|make sure|if|when(ever)?|add|write|create|tests? for|handle|report|show|print)\b/i;

const fence = /^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ *\1|$(?![\s\S]))/gm;
const maxChars = 20_000;

/** The beginning of a text without its blocks of code. */
function withoutFences(text: string): string {
  return text.slice(0, maxChars).replace(fence, '\n');
}

/** True if a sentence outside of pasted code says that a test fails, and neither forbids it nor asks for such a test. */
export function speaksOfFailingTest(task: string): boolean {
  return withoutFences(task)
    .split(/(?<=[.!?])\s+|\n+/)
    .some(sentence => speaksOfFailure.test(sentence) && !isPromise(sentence));
}

const tests = String.raw`\b(?:tests?|specs?|snapshots?|expectations?|fixtures?)\b`;
/** Where a wish begins: with the sentence, or behind another one. */
const wish = String.raw`(?:^|[.;:!?,]\s+|\b(?:please|and|then|must|should)\s+)`;
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

/**
 * True if the task wants one of the cases repaired that still fail: it names one, or it is about failing tests and names none
 * that is repaired.
 */
export function wantsMore(
  task: string,
  { failing, repaired }: Readonly<Record<'failing' | 'repaired', readonly string[]>>,
): boolean {
  const isNamed = (id: string) => speaksOfCase(task, id);
  return failing.some(isNamed) || (wantsRepair(task) && !repaired.some(isNamed));
}

/** True if the task is about tests that fail, or about checks that have to pass. */
export function wantsRepair(task: string): boolean {
  return speaksOfFailingTest(task) || ofFailure.test(ownWords(task));
}

/**
 * True if the task names a case by its id, such as `file > suite > name`, `file::name` or `name (module.Class)`. In a task
 * about failing tests its file is a name, too; elsewhere, one plain word names nothing.
 */
function speaksOfCase(task: string, id: string): boolean {
  const text = plainWords(task);
  const parts = id.split(/ > |::| › /);
  const name = (parts.at(-1) ?? id).replace(/ \([^()]*\)$/, '');
  const isPlain = /^[a-z]*$/.test(name);
  const isNamed = (words: string) => words !== '  ' && text.includes(words);
  if (!isPlain && isNamed(plainWords(name))) return true;
  const [file = ''] = parts;
  const names = /[./]/.test(file) ? [name, file] : [name];
  return wantsRepair(task) && names.map(plainWords).some(isNamed);
}

/** The words of a text, each between spaces. */
function plainWords(text: string): string {
  return ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.join(' ') ?? ''
  } `;
}

/** What a person says to permit changed tests, whatever else the task says. */
const permission = 'The tests may change.';
const permits = new RegExp(String.raw`[^.!?\n]*${tests} may (?:be )?change[\s\S]*`, 'i');

/** What a question adds that asks for this permission: how the person who may answer gives it. */
export const howToPermit = `To permit it, answer yes or add to the task: ${permission} The patch is then a draft that names each changed expectation.`;

const agrees = /^\W*(?:yes|yep|ok|okay|sure|agreed|go ahead|do it|please do)\b/i;
const refuses = /\b(?:no|not|never|don't|without|leave|keep)\b/i;

/**
 * The answer as the task holds it: with the permission, where the question asked for changed tests and the answer, or the
 * choice that it names by its number, agrees.
 */
export function withPermission(answer: string, question: string): string {
  if (!question.includes(howToPermit)) return answer;
  const number = /^\W*([1-5])\b/.exec(answer)?.[1];
  const choice = question.split('\n').findLast(line => line.startsWith(`${number}. `)) ?? '';
  const reply = choice === '' ? answer : choice.slice(3);
  const isAgreed = agrees.test(reply) || wishes.some(pattern => pattern.test(reply));
  return isAgreed && !refuses.test(`${reply}\n${answer}`) ? `${answer}\n${permission}` : answer;
}

/** What a person said: the task, and the paths of the plan that somebody approved. */
interface PersonsWords {
  readonly task: string;
  readonly approved: readonly string[];
}

/**
 * True if the task names tests to adapt, a rename, or behaviour to change, or if a person approved a plan with all of these
 * files. A task about a test that fails wants the code repaired, and one that forbids changes of tests is taken at its word,
 * unless it permits them after that in so many words.
 */
export function mayChangeTests(
  { task, approved }: PersonsWords,
  changed: readonly string[],
): boolean {
  const words = ownWords(task);
  const [permitted] = permits.exec(words) ?? [];
  if (permitted !== undefined && !forbids.test(permitted)) return true;
  if (speaksOfFailingTest(task) || ofFailure.test(words) || forbids.test(words)) return false;
  const isApproved = changed.length > 0 && changed.every(path => approved.includes(path));
  return isApproved || wishes.some(pattern => pattern.test(words));
}
