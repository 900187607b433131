/** Decides whether a task asks to repair failing tests, which is all that the embedded engine can do. In doubt, it does not. Pure. */
import type { CaseResult } from './runners/test-runner.ts';

/** The text of a task. */
export interface TaskText {
  /** The request itself. */
  readonly prompt: string;
  /** True for the text after `/photon fix`, which needs no other verb. */
  readonly isFix: boolean;
  /** Texts besides the request, such as an issue: its title first, then its body. */
  readonly context: readonly string[];
}

/** The words of a repair, by kind. */
export const repairWords = {
  repair: 'fix fixes fixed fixing repair mend solve resolve debug correct sort-out',
  pass: 'pass passes passing green working',
  tests: 'test tests spec specs suite ci build pipeline check checks',
  failure: 'fail fails failing failed failure broken breaks red bug error wrong crashes instead',
} as const;

/** The verbs of other work, where they are requested: a task with one is refused whatever else it says. */
export const otherVerbs =
  'add rename document write remove delete skip disable ignore refactor rewrite update upgrade move explain translate create implement replace book';

/** What the words of a task say. `other`: it asks for other work. `keeps-code`: the code shall stay as it is. */
type TaskKind = 'repair' | 'other' | 'keeps-code' | 'unclear';

const anyOf = (words: string) =>
  `(?:${words.replaceAll('-', '\\s+(?:\\w+\\s+)?').split(' ').join('|')})`;
const find = (words: string) => new RegExp(`\\b${anyOf(words)}\\b`, 'i');

const has = {
  repair: find(repairWords.repair),
  pass: find(repairWords.pass),
  tests: find(repairWords.tests),
  failure: find(repairWords.failure),
};
/** A test, and behind it how it ends: `npm test fails`, but not `run the failing test`. */
const statement = new RegExp(
  `${has.tests.source}.*${has.failure.source}|^(?:\\W|the\\b|an?\\b)*${has.failure.source}.*${has.tests.source}`,
  'i',
);
/** A verb of other work at the start of a request, unless it is the name of code: `add returns 3`. */
const otherWork = new RegExp(
  `(?:^|[,;:(&]|\\b(?:and|then|also|or|but|please|just|you|should|must|(?:want|need|like) to)\\b)\\W*${anyOf(otherVerbs)}\\b(?!\\s*\\(|\\s+(?:is|returns|gives|throws|does|${repairWords.failure.replaceAll(' ', '|')})\\b)`,
  'i',
);
/** Subjects of other work. */
const otherSubject = /\b(?:typos?|docs?|documentation|readme|changelog)\b/i;
/** A request for the opposite. */
const spoiling =
  /\b(?:don't|do not|never) (?:fix|repair)|\b(?:make|let|have|should|must)\b(?!.*\b(?:that|which)\b).*(?<!\b(?:not|never) )\bfail\b/i;
const asking = new RegExp(
  `\\b${anyOf('why what which how whether if where')}\\b.*${has.tests.source}`,
  'i',
);
const question = /^(?!\W*(?:please|can|could|would|will) )[^?]*\?$/i;
/** A word that stands for what the context says. */
const pointer = /\b(?:below|above|issue|it|this|that|them|these|those|everything)\b/i;
/** Most words of a request that says only "fix it". */
const fewWords = 5;

/** Requests that the code stays as it is: they blame the test, defend the code, or name files to leave alone. */
const keepsCode: readonly RegExp[] = [
  /\b(?:tests?|specs?|expectations?|assertions?|snapshots?)\s+(?:(?!fail|pass|because|since|when)\S+\s+){0,4}?(?:is|are|has|have|expects?|asserts?|seems?|looks?)\s+(?:(?:just|simply|now|also|the|a|an|its|clearly|probably)\s+)*(?:wrong|incorrect|outdated|out\s+of\s+date|obsolete|stale|mistaken|faulty)\b/i,
  /\b(?:code|sources?|implementation)\s+(?:\S+\s+){0,3}?(?:is|are)\s+(?:(?:already|just|actually|as)\s+)*(?:right|correct|fine|intended|intentional|meant)\b/i,
  /\b(?:leave|keep)\s+(?!(?:(?:the|all|any|your|our|its)\s+)*(?:tests?|specs?)\b)[^.;!?]{0,80}?(?:\.\w+\s+)?(?:as\s+(?:it|they)\s+(?:is|are)|as[- ]is|alone|untouched|unchanged)\b/i,
  /\b(?:do\s+not|don't|never|without)\s+(?:chang|touch|edit|modify)\w*\s+(?:(?:the|any|your|our|its)\s+)*(?!\S*(?:test|spec))(?:code|sources?|implementation|production|library|\S+\/\S+|\S+\.\w+)/i,
  /\b(?:fix|correct|repair|update|change|adapt|adjust|rewrite)\s+(?:(?:the|this|that|its)\s+)?(?:tests?(?:'s)?\s+)?(?:expectations?|expected\s+(?:values?|results?)|assertions?|snapshots?)\b/i,
];

/** Judges a task by its words. `known` is undefined before the tests ran; then names say nothing. */
export function judgeTask(task: TaskText, known?: FailingTests): TaskKind {
  const all = [task.prompt, ...task.context];
  if (all.some(text => text.length > max.text)) return 'unclear';
  const sentences = splitSentences(task.prompt);
  if (all.flatMap(splitSentences).some(s => keepsCode.some(pattern => pattern.test(s))))
    return 'keeps-code';
  if (sentences.some(isOtherWork)) return 'other';
  const { isFix } = task;
  if (sentences.some(s => asksForTests(s, isFix))) return 'repair';
  const prompt = sentences.join(' ');
  if (known !== undefined && namesFailure(prompt, known, isFix)) return 'repair';
  const points = sentences.some(s => (isFix || has.repair.test(s)) && pointer.test(s));
  if (!points) return 'unclear';
  if (task.context.length > 0) return judgeContext(task.context, known);
  return prompt.split(' ').length <= fewWords && !/\b(?:below|above|issue)\b/i.test(prompt)
    ? 'repair'
    : 'unclear';
}

/** Judges what a request points to: an issue whose title asks for tests, or that names what fails. */
function judgeContext(context: readonly string[], known: FailingTests | undefined): TaskKind {
  const texts = context.map(splitSentences);
  if (texts.flat().some(isOtherWork)) return 'other';
  if (texts.some(([title = '']) => asksForTests(title, false))) return 'repair';
  const story = texts.flat().join(' ');
  return known !== undefined && namesFailure(story, known, false) ? 'repair' : 'unclear';
}

const isOtherWork = (sentence: string) => {
  const plain = sentence.replace(/`[^`]*`|"[^"]*"|“[^“”]*”/g, 'X');
  return otherWork.test(plain) || otherSubject.test(plain) || spoiling.test(plain);
};

/** True for a sentence that asks to repair tests, to make them pass, or says that they fail. */
function asksForTests(sentence: string, isFix: boolean): boolean {
  const isRepair = isFix || has.repair.test(sentence);
  if (isRepair) return has.tests.test(sentence) || has.failure.test(sentence);
  if (!has.tests.test(sentence) || asking.test(sentence)) return false;
  return has.pass.test(sentence) || statement.test(sentence);
}

/** True for a text that names what fails, and says that it is wrong or is to be repaired. */
function namesFailure(text: string, known: FailingTests, isFix: boolean): boolean {
  const says = isFix || has.repair.test(text) || has.failure.test(text);
  if (!says) return false;
  const plain = ` ${oneLine(text).toLowerCase()} `;
  if (known.names.some(name => isTelling(name) && plain.includes(name.toLowerCase()))) return true;
  const tokens = text.match(/`[^`]+`|[\p{L}\p{N}_$@][\p{L}\p{N}_$@./-]*\(?/gu) ?? [];
  return tokens.some(token => isName(token, known));
}

/** True for the name of a case that is not an everyday word: an identifier, or several words. */
const isTelling = (name: string) => isIdentifier(name) || /\S\s+\S/.test(name);

const isIdentifier = (word: string) =>
  /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(word) && /\p{Ll}\p{Lu}|_|\d|\$/u.test(word);

/** True for a file or symbol; an everyday word is a symbol only if it is written as code. */
function isName(token: string, { files, symbols }: FailingTests): boolean {
  const isCode = /^`.*`$|\($/.test(token);
  const bare = token.replace(/^`|`$|\(.*$/g, '').replace(/(?<![.:/-])[.:/-]+$/, '');
  if (bare.includes('.') && files.some(f => f === bare || f.endsWith(`/${bare}`))) return true;
  return bare.split('.').some(part => symbols.has(part) && (isCode || isIdentifier(part)));
}

/** Maximum characters of a text, and of a sentence; a longer sentence is read in pieces. */
const max = { text: 20_000, sentence: 1000 } as const;

const fence = /^ *(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^ *\1|$(?![\s\S]))/gm;

/** The sentences and lines of a text, without pasted code, quotations, tables and questions, which request nothing. */
function splitSentences(text: string): readonly string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(fence, '\n')
    .replace(/^ *(?:>|\|).*$/gm, '')
    .replace(/^ *(?:[-*+]|\d+[.)]|#{1,6}) +/gm, '')
    .split(/\n+|(?<=[.!?;])(?<!\b(?:e\.g|i\.e|vs)\.)(?:\s+|$)/)
    .map(part => oneLine(part).replaceAll('’', "'"))
    .flatMap(part => part.match(new RegExp(`.{1,${max.sentence}}`, 'gsu')) ?? [])
    .filter(sentence => /[\p{L}\p{N}]/u.test(sentence) && !question.test(sentence));
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** What a task may name of failing tests. */
interface FailingTests {
  /** Names of the failing cases, with and without their suites. */
  readonly names: readonly string[];
  /** Files of the failing cases, and suspected files. */
  readonly files: readonly string[];
  /** Names that the suspected files declare. */
  readonly symbols: ReadonlySet<string>;
}

/** A declaration or a method. Every repetition is bounded, because a file may be a single line of a megabyte. */
const declaration =
  /\b(?:function\*?|class|def|const|let|var|type|func)\s+(?:\([^()]{0,200}\)\s*)?([\p{L}_$][\p{L}\p{N}_$]{0,100})|^[ \t]*(?:(?:async|static)[ \t]+){0,2}([\p{L}_$][\p{L}\p{N}_$]{0,100})[ \t]*\([^()]{0,300}\)[ \t]*\{/gmu;

/** Collects everything that a task may name; `textOf` holds the texts of the suspected files. */
export function collectFailingTests(
  failed: readonly CaseResult[],
  textOf: ReadonlyMap<string, string>,
): FailingTests {
  const names = failed.flatMap(({ id, file }) => {
    const parts = id.split(' > ').filter((part, i) => i > 0 || part !== file);
    return [parts.at(-1) ?? id, parts.join(' > ')];
  });
  const symbols = [...textOf.values()].flatMap(text =>
    [...text.matchAll(declaration)].map(m => m[1] ?? m[2] ?? ''),
  );
  const files = [...failed.map(c => c.file), ...textOf.keys()].filter(f => f !== '');
  return {
    names: [...new Set(names)].filter(name => name !== ''),
    files: [...new Set(files)],
    symbols: new Set(symbols),
  };
}
