/** Decides whether a task asks to repair failing tests, which is all that the embedded engine can do. In doubt, it does not. Pure. */
import type { CaseResult } from '../runners/test-runner.ts';
import {
  anyOtherVerb,
  commonWords,
  complaint,
  failureSynonyms,
  hasSign,
  investigationOnly,
  keepsCode,
  kinds,
  namingOrQuestion,
  notFailing,
  otherLanguage,
  otherSubject,
  otherWork,
  otherWorkInRequest,
  promisesAboutTests,
  statementStart,
  unrelatedWork,
  type WordKind,
} from './task-vocabulary.ts';

/** The text of a task. */
export interface TaskText {
  /** The request itself. */
  readonly prompt: string;
  /** True for the text after `/photon fix`, which needs no other verb. */
  readonly isFix: boolean;
  /** Texts besides the request, such as an issue: its title first, then its body. */
  readonly context: readonly string[];
}

type TaskMatch =
  | { readonly matches: true; readonly why: string }
  /** `otherWork`: the task asks for something else, whichever tests fail. `keepsCode`: the code shall stay as it is. */
  | { readonly matches: false; readonly otherWork: boolean; readonly keepsCode: boolean };

const matched = (why: string): TaskMatch => ({ matches: true, why });
const refused = (otherWork: boolean): TaskMatch => ({
  matches: false,
  otherWork,
  keepsCode: false,
});
const general = 'it asks to repair failing tests';

/** Matches a task. `known` is undefined before the tests run; then names match nothing. */
export function matchTask(task: TaskText, known: FailingTests | undefined): TaskMatch {
  if (task.prompt.length > max.text) return refused(false);
  const requested = [task.prompt, ...task.context].flatMap(text => splitSentences(text));
  if (requested.some(isAgainstTheTest)) return { matches: false, otherWork: true, keepsCode: true };
  const sentences = splitSentences(task.prompt);
  if (sentences.some(isOtherRequest)) return refused(true);
  if (sentences.some(s => hasOtherSubject(s, known))) return refused(known !== undefined);
  const parts = sentences.flatMap(splitClauses);
  const plain = parts.filter(isPlain);
  const rest = parts.filter(s => !isPlain(s));
  // a part that the engine does not understand would be left undone
  if (!rest.every(s => isAboutFailure(s, known) || statementStart.test(s))) return refused(false);
  if (asksForTests(plain, task.isFix)) return matched(general);
  const about = known === undefined ? '' : explainRelation(sentences, known, task.isFix);
  if (about !== '') return matched(about);
  const leads =
    known === undefined ? rest.length === 0 : rest.every(s => mentionsIn(s, known).only);
  return leads ? matchContext(task, known) : refused(false);
}

/** Matches the context of a request that only refers to it: one part of the issue must be about the failure. */
function matchContext(
  { context, prompt, isFix }: TaskText,
  known: FailingTests | undefined,
): TaskMatch {
  const titles = context.flatMap(text => splitSentences(text).slice(0, 1));
  const bodies = context.flatMap(text => splitSentences(text).slice(1));
  if (titles.some(isOtherRequest) || bodies.some(isOtherWork)) return refused(true);
  if (titles.some(s => hasOtherSubject(s, known))) return refused(known !== undefined);
  const wanted = isFix || wordsHave([prompt], 'repair');
  const title = titles.filter(isPlain);
  if (wordsHave(title, 'failure') && asksForTests(title, wanted)) return matched(general);
  const story = [...titles, ...bodies, ...context.flatMap(pastedIn)];
  const about = known === undefined ? '' : explainRelation(story, known, false);
  return about === '' ? refused(false) : matched(about);
}

const fence = /^ *(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^ *\1|$(?![\s\S]))/gm;

/** Maximum characters of a text, and of a sentence; a longer sentence is read in pieces. */
const max = { text: 20_000, sentence: 1000 } as const;

/** The sentences and lines of a text, without pasted code, quotations and tables, which request nothing. */
function splitSentences(text: string): readonly string[] {
  return text
    .slice(0, max.text)
    .replace(/\r\n?/g, '\n')
    .replace(fence, '\n')
    .replace(/^ *(?:>|\|).*$/gm, '')
    .replace(/^ *(?:[-*+]|\d+[.)]|#{1,6}) +/gm, '')
    .split(/\n+|(?<=[.!?;。！？])(?<!\b(?:e\.g|i\.e|vs)\.)(?:\s+|$)/)
    .map(oneLine)
    .flatMap(s => s.match(new RegExp(`.{1,${max.sentence}}`, 'gsu')) ?? [])
    .filter(s => /[\p{L}\p{N}]/u.test(s));
}

/** The text between code fences. */
function pastedIn(text: string): readonly string[] {
  const pasted = text.slice(0, max.text).replace(/\r\n?/g, '\n').matchAll(fence);
  return [...pasted].map(m => oneLine(m[2] ?? ''));
}

/** The clauses of a request: a second request may follow "and" or a comma. */
function splitClauses(sentence: string): readonly string[] {
  const [first = ''] = generalWords(sentence).filter(w => !hasKind('filler', w));
  if (!hasKind('repair', first) && !hasKind('make', first)) return [sentence];
  return sentence
    .split(/(?<!\s)\s*[,;&]\s+|(?<!\s)\s+(?:and|then|plus)\s+/i)
    .filter(c => /\w/.test(c));
}

const hasKind = (kind: WordKind, word: string) => kinds.get(kind)?.has(word) === true;

function generalWords(sentence: string): readonly string[] {
  const plain = sentence.toLowerCase().replaceAll('’', "'");
  const normalized = plain
    .replace(promisesAboutTests, ' ')
    .replace(failureSynonyms, ' fail ')
    .replace(notFailing, ' pass ');
  return (
    normalized
      .match(/[\p{L}\p{N}_$][\p{L}\p{N}_$'./-]*/gu)
      ?.map(w => w.replace(/(?<![.'/-])[.'/-]+$/, '')) ?? []
  );
}

/** True for a sentence that holds only words of the vocabulary. */
function isPlain(sentence: string): boolean {
  return generalWords(sentence).every(
    w => /^\d{1,3}$/.test(w) || [...kinds.values()].some(k => k.has(w)),
  );
}

const wordsHave = (sentences: readonly string[], kind: WordKind) =>
  sentences.flatMap(generalWords).some(w => hasKind(kind, w));

/** "Make the tests fail" uses the same words. */
const spoiling =
  /\b(?:make|let|get|have|should|must)\b(?!.*\b(?:that|which)\b).*(?<!\b(?:not|never) )\bfail\b/i;

/** True if these sentences together ask to repair tests, or to make them pass. */
function asksForTests(sentences: readonly string[], isFix: boolean): boolean {
  if (!wordsHave(sentences, 'tests') || sentences.some(s => spoiling.test(s))) return false;
  return (
    (isFix && !sentences.some(s => investigationOnly.test(s))) ||
    wordsHave(sentences, 'repair') ||
    (wordsHave(sentences, 'make') && wordsHave(sentences, 'pass'))
  );
}

/** A sentence without code and quotations. */
function unquoted(sentence: string): string {
  return sentence
    .replace(/`[^`]*`|"[^"]*"|“[^“”]*”/g, ' X ')
    .replaceAll('’', "'")
    .replace(new RegExp(promisesAboutTests, 'gi'), ' ');
}

/** True for other work in a request or a title, which are judged more strictly than the body of an issue. */
function isOtherRequest(sentence: string): boolean {
  const plain = unquoted(sentence);
  return (
    [...otherWork, ...otherWorkInRequest].some(sign => hasSign(plain, sign)) ||
    namingOrQuestion.some(pattern => pattern.test(plain))
  );
}

const isAgainstTheTest = (sentence: string) =>
  keepsCode.some(pattern => pattern.test(sentence.replaceAll('’', "'")));

function isOtherWork(sentence: string): boolean {
  const plain = unquoted(sentence);
  return otherWork.some(sign => hasSign(plain, sign));
}

/** True for a sentence about something like a typo or a document, unless the failing tests mention it. */
function hasOtherSubject(sentence: string, known: FailingTests | undefined): boolean {
  const subjects =
    unquoted(sentence)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const own = (w: string) =>
    known !== undefined && (known.symbols.has(w) || splitWords(w).every(x => known.words.has(x)));
  return subjects.some(w => otherSubject.has(w) && !own(w));
}

/** What a sentence mentions of the failing tests. */
interface Mentions {
  /** The first name in it; empty for none. */
  readonly name: string;
  /** Words of the failure, without names. */
  readonly words: readonly string[];
  /** True if it holds only names, words of the failure and words of the vocabulary. */
  readonly only: boolean;
}

function mentionsIn(sentence: string, known: FailingTests): Mentions {
  const test = known.names.find(n => isDistinct(n) && holds(sentence, n));
  const tokens = sentence.match(/`[^`]+`|[\p{L}\p{N}_$@][\p{L}\p{N}_$@./-]*(?:\()?/gu) ?? [];
  const named = tokens.filter(t => isName(t, known));
  const left = named.reduce((text, t) => text.replaceAll(t, ' '), sentence);
  const without = test === undefined ? left : left.toLowerCase().replace(test.toLowerCase(), ' ');
  const words = [...new Set(splitWords(without).filter(w => known.words.has(w)))];
  const rest = generalWords(without.replaceAll('`', ' ')).filter(
    w => !splitWords(w).every(x => known.words.has(x)),
  );
  return { name: test ?? named[0] ?? '', words, only: isPlain(rest.join(' ')) };
}

/** True for a name that is not an everyday word: it has two words, or looks like an identifier. */
function isDistinct(name: string): boolean {
  return isIdentifier(name) || (/\S\s+\S/.test(name) && splitWords(name).some(isDistinctive));
}

function isIdentifier(word: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(word) && /\p{Ll}\p{Lu}|_|\d|\$/u.test(word);
}

function holds(text: string, part: string): boolean {
  const plain = (t: string) => ` ${oneLine(t.toLowerCase().replace(/[^\p{L}\p{N}_$.]+/gu, ' '))} `;
  const sought = plain(part).trim();
  return (
    sought !== '' &&
    plain(text)
      .replace(/(?<![.])[.]+ /g, ' ')
      .includes(` ${sought.replace(/(?<![.])[.]+$/, '')} `)
  );
}

/** True for a file or symbol; an everyday word is a symbol only if it is written as code. */
function isName(token: string, known: FailingTests): boolean {
  const code = /^`.*`$|\($/.test(token);
  const bare = token
    .replace(/^`|`$/g, '')
    .replace(/\(.*$/, '')
    .replace(/(?<![.:/-])[.:/-]+$/, '');
  const path = bare.replace(/:\d+$/, '');
  if (path.includes('.') && known.files.some(f => f === path || f.endsWith(`/${path}`)))
    return true;
  const parts = bare.split('.');
  return parts.some(p => known.symbols.has(p) && (code || isIdentifier(p)));
}

/** True for a sentence about the failure; a complaint without a name is enough. */
function isAboutFailure(sentence: string, known: FailingTests | undefined): boolean {
  if (known === undefined) return false;
  const { name, words } = mentionsIn(sentence, known);
  return name !== '' || words.length > 0 || complaint.test(sentence);
}

/** Why a text is clearly about the failure; empty if it is not. */
function explainRelation(
  sentences: readonly string[],
  known: FailingTests,
  isFix: boolean,
): string {
  for (const sentence of sentences) {
    if (known.messages.some(m => isTelling(m) && holds(sentence, m)))
      return 'it repeats the message of a failure';
    const { name, words, only } = mentionsIn(sentence, known);
    const wrong = complaint.test(sentence);
    const asksRepair = wordsHave([sentence], 'repair');
    const isRequest = asksRepair || isFix;
    const clear = wrong || only || words.length > 1 || isForeign(sentence, known);
    const plain = (asksRepair || (isFix && words.length > 0)) && !isDoubtful(sentence, known);
    if (name !== '' && (clear || plain)) return `it names ${name}`;
    const repeats = words.length > 2 || (words.length > 1 && (wrong || isRequest));
    if (repeats || (words.length > 0 && only && isRequest))
      return `it repeats words of a failure: ${words.slice(0, 3).join(', ')}`;
  }
  const all = sentences.join(' ');
  const { name } = mentionsIn(all, known);
  return name !== '' && complaint.test(all) ? `it names ${name}` : '';
}

/** True for a distinctive message: the words of an assertion alone occur in every failure. */
function isTelling(message: string): boolean {
  return (
    message.length >= 20 && (/[!=]==?|≠/.test(message) || splitWords(message).some(isDistinctive))
  );
}

/** True for a request whose "fix" may mean other work: it has another verb, or a name that is unknown here. */
function isDoubtful(sentence: string, known: FailingTests): boolean {
  return hasSign(sentence, anyOtherVerb) || hasOtherName(sentence, known);
}

function hasOtherName(sentence: string, known: FailingTests): boolean {
  const tokens = sentence.match(/[A-Za-z_$][\w$]*/g) ?? [];
  return tokens.some(t => isIdentifier(t) && !known.symbols.has(t));
}

/** True for a sentence in another language without signs of other work and without unknown names. */
function isForeign(sentence: string, known: FailingTests): boolean {
  if (!otherLanguage.test(sentence) || unrelatedWork.test(sentence)) return false;
  return !hasOtherName(sentence, known);
}

interface FailingTests {
  /** Names of the failing cases, with and without their suites; never empty. */
  readonly names: readonly string[];
  /** The beginning of each failure message, on one line. */
  readonly messages: readonly string[];
  /** Files of the failing cases, and suspected files. */
  readonly files: readonly string[];
  /** Names that the suspected files declare. */
  readonly symbols: ReadonlySet<string>;
  /** Distinctive words of names and messages, in lower case. */
  readonly words: ReadonlySet<string>;
}

// every repetition is bounded, because a file may be a single line of a megabyte
const declarations: readonly RegExp[] = [
  /\b(?:function\*?|class|def|const|let|var|type|interface|enum|func)\s+(?:\([^()]{0,200}\)\s*)?([\p{L}_$][\p{L}\p{N}_$]{0,100})/gu,
  // a method
  /^[ \t]*(?:(?:async|static|get|set|public|private|protected)[ \t]+){0,3}([\p{L}_$][\p{L}\p{N}_$]{0,100})[ \t]*\([^()]{0,300}\)[ \t]*(?::[^{\n]{0,200})?\{/gmu,
  // an assigned or a listed function
  /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]{0,100})\s{0,9}[:=]\s{0,9}(?:async\s{1,9})?(?:function\b|\([^()]{0,300}\)\s{0,9}=>|[\w$]{1,100}\s{0,9}=>)/gu,
];
const keywords = new Set(['if', 'for', 'while', 'switch', 'catch', 'function', 'return', 'with']);

/** Collects everything that a task may name; `textOf` holds the texts of the suspected files. */
export function collectFailingTests(
  failed: readonly CaseResult[],
  textOf: ReadonlyMap<string, string>,
): FailingTests {
  const names = failed.flatMap(listNames);
  const messages = failed.map(c => oneLine(c.message ?? '')).filter(m => m !== '');
  const symbols = [...textOf.values()].flatMap(text =>
    declarations.flatMap(d => [...text.matchAll(d)].map(m => m[1] ?? '')),
  );
  const files = [...failed.map(c => c.file), ...textOf.keys()].filter(f => f !== '');
  return {
    names: [...new Set(names)],
    messages: [...new Set(messages)],
    files: [...new Set(files)],
    symbols: new Set(symbols.filter(s => !keywords.has(s))),
    words: new Set([...names, ...messages].flatMap(splitWords).filter(isDistinctive)),
  };
}

/** The names of `file > suite > name`: `name` and `suite > name`. */
function listNames({ id, file }: CaseResult): readonly string[] {
  const parts = id.split(' > ').filter((p, i) => !(i === 0 && p === file));
  return parts.length === 0 ? [id] : [parts.at(-1) ?? '', parts.join(' > ')];
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The words and numbers of a text in lower case; `test_even` and `evenNumbers` are two words each. */
function splitWords(text: string): readonly string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');
  return (apart.toLowerCase().match(/\d+(?:[.,]\d+)*|[\p{L}][\p{L}'’]*/gu) ?? []).map(w =>
    w.length > 3 ? w.replaceAll('’', "'").replace(/(?<!s)s$/, '') : w,
  );
}

/** True for a word that distinguishes one failure from another. */
function isDistinctive(word: string): boolean {
  return !commonWords.has(word) && (/^\d\d/.test(word) || word.length > 2);
}
