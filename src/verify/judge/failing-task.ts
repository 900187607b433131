/** Tells whether the text of a task speaks of a test that fails. Pure. */

const test = String.raw`\b(?:unit |e2e |integration )?(?:tests?|specs?|test (?:cases?|suites?)|suite)\b`;
const fails = String.raw`\b(?:fail(?:s|ed|ing|ures?)?|red|do(?:es)? not pass|doesn't pass|don't pass|not passing)\b`;

// a dot inside a path ends no sentence
const near = String.raw`(?:[^.!?\n]|\.(?=\S)){0,80}`;

/** Within one sentence, in either order. */
const speaksOfFailure = new RegExp(`${fails}${near}${test}|${test}${near}${fails}`, 'i');

/** A wish that no test fails, or that a new one does. */
const isPromise =
  /\b(?:no|without|never|nor|must not|should not|shouldn't|mustn't|cannot|may not|keep|ensure|make sure|if|when(?:ever)?|unless|until|add|write|create|tests? for|handle|report|show|print)\b/i;

const fence = /^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ *\1|$(?![\s\S]))/gm;
const maxChars = 20_000;

/** The beginning of a text without its blocks of code. */
export function withoutFences(text: string): string {
  return text.slice(0, maxChars).replace(fence, '\n');
}

/** True if a sentence outside of pasted code says that a test fails, and neither forbids it nor asks for such a test. */
export function speaksOfFailingTest(task: string): boolean {
  return withoutFences(task)
    .split(/(?<=[.!?])\s+|\n+/)
    .some(sentence => speaksOfFailure.test(sentence) && !isPromise.test(sentence));
}
