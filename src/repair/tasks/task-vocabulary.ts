/** The vocabulary by which the embedded engine recognises a task: closed sets, listed in docs/builtin.md. Pure data. */

/**
 * Words of a task that asks to repair failing tests in general. The engine fully understands a sentence
 * that holds no other words. docs/builtin.md lists them in a table.
 */
export const vocabulary = {
  repair: 'fix fixes fixing repair repairs repairing correct mend solve resolve debug address',
  make: 'make makes making get gets getting let bring turn ensure have should must so',
  pass: 'pass passes passing green succeed succeeds',
  tests:
    'test tests case cases suite suites spec specs assertion assertions build builds ci pipeline workflow job jobs check checks',
  failure:
    'failing failed fails fail failure failures broken breaking red error errors wrong bug bugs fault faults cause causes root problem problems issue issues regression regressions',
  filler:
    'a an the all any every each some one ones both two three this that these those it its them they which there here is are be been was were has had do does of in on at for from to by with under up out back and or then when if because until again still currently now first last latest please kindly thanks thank hi hello hey ok photon you your we our i my me us can could would will want wants need needs just only also sure whatever investigate run runs running find see look what why made described below above code source program repository repo project commit branch main master unit integration line lines log npm artifacts',
} as const;

/** The kind of a word in the vocabulary. */
export type WordKind = keyof typeof vocabulary;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const alternatives = (list: string) => `(?:${list.split(' ').join('|')})`;
const pattern = (source: string) => new RegExp(source, 'i');

/** One of these patterns. */
const anyOf = (...patterns: readonly RegExp[]) =>
  new RegExp(`(?:${patterns.map(p => p.source).join('|')})`);

/** These patterns one after the other. */
const globalPattern = (parts: readonly RegExp[]) =>
  new RegExp(parts.map(p => p.source).join(''), 'g');

/** Demands that the engine always meets, such as "without changing tests"; removed before words are matched. */
export const promisesAboutTests = globalPattern([
  /(?:\b(?:and|but)\s+)?\b/,
  anyOf(
    /without\s+(?:changing|touching|editing|modifying|weakening)/,
    /(?:do\s+not|don't|never)\s+(?:change|touch|edit|modify|weaken)/,
  ),
  /(?<!\s)\s+(?:(?:the|any|your|our)\s+)?tests?(?:\s+files?)?\b/,
]);

/** Tests that must not fail: the same as tests that must pass. */
export const notFailing = /\b(?:not|never)\s+fail(?:ing)?\b/g;

/** Requests that the code stays as it is: they blame the test, defend the code, or name files to leave alone. */
export const keepsCode: readonly RegExp[] = [
  /\b(?:tests?|specs?|expectations?|assertions?|snapshots?)\s+(?:(?!fail|pass|because|since|when)\S+\s+){0,4}?(?:is|are|has|have|expects?|asserts?|seems?|looks?)\s+(?:(?:just|simply|now|also|the|a|an|its|clearly|probably)\s+)*(?:wrong|incorrect|outdated|out\s+of\s+date|obsolete|stale|mistaken|faulty)\b/i,
  /\b(?:code|sources?|implementation)\s+(?:\S+\s+){0,3}?(?:is|are)\s+(?:(?:already|just|actually|as)\s+)*(?:right|correct|fine|intended|intentional|meant)\b/i,
  /\b(?:leave|keep)\s+(?!(?:(?:the|all|any|your|our|its)\s+)*(?:tests?|specs?)\b)[^.;!?]{0,80}?(?:\.\w+\s+)?(?:as\s+(?:it|they)\s+(?:is|are)|as[- ]is|alone|untouched|unchanged)\b/i,
  /\b(?:do\s+not|don't|never|without)\s+(?:chang|touch|edit|modify)\w*\s+(?:(?:the|any|your|our|its)\s+)*(?!\S*(?:test|spec))(?:code|sources?|implementation|production|library|\S+\/\S+|\S+\.\w+)/i,
  /\b(?:fix|correct|repair|update|change|adapt|adjust|rewrite)\s+(?:(?:the|this|that|its)\s+)?(?:tests?(?:'s)?\s+)?(?:expectations?|expected\s+(?:values?|results?)|assertions?|snapshots?)\b/i,
];

/** Tests that do not pass: the same as tests that fail. */
export const failureSynonyms = globalPattern([
  /\b(?:(?:do|does|is|are)\s+not|don't|doesn't|isn't|aren't|no\s+longer|not|never)/,
  /(?<!\s)\s+(?:pass(?:es|ing)?|green|succeed)\b/,
]);

/** Verbs of other work. A task with one is refused even if it names a failing test. */
const otherVerbs =
  'adapt add adopt analyse analyze annotate answer append archive ask assign audit automate backport benchmark book bump buy cancel change clarify clean cleanup close combine comment compare compress configure convert copy create cut decouple define delete deploy deprecate describe design disable discard discuss document downgrade download draft drop email enable enforce erase estimate evaluate exclude expand explain explore export expose extend extract format generate hide ignore implement import improve include increase inline insert install integrate introduce invent label lint list log lower merge migrate minify mock modify move mute obfuscate offer open optimise optimize order organise organize permit polish port prepare prettify print propose provide publish push put quarantine raise rearrange rebase redesign reduce refactor reformat release relax remove rename reorder replace report research restructure revert review rewrite rollback rotate scaffold send set setup show silence simplify skip sort speed split standardise standardize streamline strip suggest summarise summarize support suppress swap switch tag teach tell tidy translate trim tune type unify uninstall update upgrade upload use validate vendor weaken wrap write xfail';

/** Verbs of other work only at the start of a sentence; elsewhere they describe what code does. */
const firstVerbs = 'accept allow calculate call compute handle reject return round take throw';

/** Subjects of other work: a task about them is not about the code that a failing test runs. */
const otherSubjects =
  'typo typos spelling grammar wording readme changelog documentation docs doc docstring docstrings jsdoc comment comments formatting indentation whitespace lint linter linting eslint prettier style styling css layout naming name names license licence translation translations dependency dependencies vulnerability vulnerabilities copyright performance speed logging coverage refactoring removal migration deprecation typings ui security feature features';

/** The participles of verbs, such as `renamed` and `renaming`, and irregular ones. */
function formsOfVerbs(list: string, kind: 'ed' | 'ing'): ReadonlySet<string> {
  const irregular = kind === 'ed' ? ['written', 'rewritten', 'put', 'set', 'cut', 'sent'] : [];
  const regular = list.split(' ').flatMap(verb => {
    if (kind === 'ed' && verb.endsWith('y')) return [`${verb.slice(0, -1)}ied`];
    if (verb.endsWith('e')) return [`${verb.slice(0, -1)}${kind}`];
    return [`${verb}${kind}`, `${verb}${verb.at(-1)}${kind}`];
  });
  return new Set([...irregular, ...regular]);
}

/** Not followed by what makes the word a subject: "add is wrong". */
const noSubject =
  "(?!\\s*\\(|\\s+(?:is|are|was|were|does|doesn't|returns|gives|fails|throws|takes|has|isn't)\\b)";
/** Words before a verb that make it a request. */
const requesting =
  "(?:please|should|must|(?:can|could|would|will)\\s+you|let's|lets|(?<!\\b(?:fail|fails|failed|failing|forgets|forgot|tries|tried|unable|refuses|supposed|expected)\\s+)to)";
const joining = '(?:[,;:(&–—-]|\\b(?:and|then|also|or|but|plus|just|now|instead|not|first|next))';
const startOf = '^(?:\\W|(?:please|also|then|and|now|next|kindly|hey|hi|photon)\\b)*';

/** Forms that say that something is wrong. */
const complaints: readonly RegExp[] = [
  /wrong(?:ly)?/,
  /incorrect(?:ly)?/,
  /broken/,
  /breaks/,
  /bug(?:s|gy)?/,
  /fault(?:y|s)?/,
  /fail(?:s|ed|ing|ures?)?/,
  /crash(?:es|ed|ing)?/,
  /throws/,
  /errors?/,
  /unexpected(?:ly)?/,
  /mismatch/,
  /regression/,
  /misbehaves?/,
  /ignores/,
  /hangs/,
  /nan/,
  /loses/,
  /off by/,
  /(?:returns|gives|yields) (?:-?\d|true|false|null|none|undefined|nothing|zero|nan)/,
  /too (?:much|many|few|little|high|low|big|small|large|late|early|long|short|often)/,
  /instead of/,
  /twice/,
  /(?:\b\w+ times|double|half) (?:the|too)/,
  /expected\b.*\b(?:got|actual|received|but|is)/,
  /(?:should|must) (?:not )?(?:be|return|give|equal|yield) (?:-?\d|true\b|false\b|null\b|none\b|undefined\b|nothing\b|zero\b|empty\b|["'`])/,
  /(?:doesn't|does not|don't|do not|isn't|is not|won't|cannot|can't) (?:work|count|match|hold|pass|end|return|give|round|equal|true|false|right|correct)/,
];

/** Matches a text that says that something is wrong. */
export const complaint = pattern(`\\b${anyOf(...complaints).source}(?!\\w)`);

/** A place in a sentence, and the words of which any one there is a sign. */
interface Sign {
  /** What stands before the word, which is the first group. */
  readonly place: RegExp;
  readonly words: ReadonlySet<string>;
  /** A sentence that says this after the word has no sign. */
  readonly unless?: RegExp;
}

/** The words are no part of the expression: V8 would take 20 ms of each run to compile hundreds of alternatives. */
const sign = (before: string, list: ReadonlySet<string>, after = ''): Sign => ({
  place: new RegExp(`${before}(?=(\\w+)\\b${after})`, 'gi'),
  words: list,
});

/** True if a sentence has this sign. */
export function hasSign(sentence: string, { place, words: signs, unless }: Sign): boolean {
  return [...sentence.matchAll(place)].some(
    ({ index, 0: before, 1: word = '' }) =>
      signs.has(word.toLowerCase()) &&
      unless?.test(sentence.slice(index + before.length + word.length)) !== true,
  );
}

const otherVerb = words(otherVerbs);
const beingDone = formsOfVerbs(otherVerbs, 'ed');
const doing = formsOfVerbs(otherVerbs, 'ing');

/** Signs of other work in any text. */
export const otherWork: readonly Sign[] = [
  sign(startOf, otherVerb, noSubject),
  sign(`\\b${requesting}\\s+`, otherVerb, noSubject),
  sign('\\b(?:be|been|being|get|gets|needs)\\s+', beingDone),
  sign('\\b(?:by|needs?|consider|requires?)\\s+', doing),
  // "adding a second item breaks it" is not a request
  { ...sign(startOf, doing), unless: complaint },
];

/** More signs, for the request itself and for titles, which are short and to the point. */
export const otherWorkInRequest: readonly Sign[] = [
  sign(startOf, words(firstVerbs), noSubject),
  sign(`${joining}\\s*`, otherVerb, noSubject),
];

/** A name to give, or a question, which needs an answer and no repair. */
export const namingOrQuestion: readonly RegExp[] = [
  /\b(?:call|name)\s+it\b/i,
  /^\W*(?:what|how|where|who|which|why|is|are|do|does)\b[^?]*\?/i,
];

/** Verbs at the start of a request to look at something only. */
export const investigationOnly: RegExp = pattern(
  `${startOf}(?:find|look|run|runs|running|see|check|checks|investigate|(?:test|build)(?=\\s+(?:the|it|this|our|my)\\b))\\b`,
);

/** A verb of other work anywhere in a sentence. */
export const anyOtherVerb: Sign = sign(
  '\\b',
  new Set([...otherVerb].flatMap(verb => [verb, `${verb}s`, `${verb}es`])),
);

/** Subjects of other work in a request, unless the failing tests mention them. */
export const otherSubject = words(otherSubjects);

const statementWords =
  'a an the this that these those it its we i they he she there when if since because after in on for with our my some every all now but so as which who customers? users?';

/** The start of a sentence that states something and requests nothing. */
export const statementStart = pattern(
  `^\\W*${alternatives(statementWords)}\\b(?!.*\\b(?:want|wants|need|needs|like|please|wish)\\b)`,
);

/** Signs of a language other than English; then a name is enough. */
export const otherLanguage =
  /[^\p{ASCII}\P{L}]|\b(?:der|das|ist|nicht|und|ein|eine|zu|le|les|est|pas|une|el|los|una|il|che|het|een|niet|os)\b/iu;

const otherVerbStems =
  'lösch entfern benenn umbenenn füg ergänz schreib dokumentier übersetz verschieb aktualisier änder ersetz erklär supprim renomm ajout tradu déplac remplac expliqu elimin borr renombr agreg añad muev reemplaz explic actualiz';
const otherVerbSigns =
  '削除 追加 改名 変更 移動 翻訳 置き換 説明 更新 删除 添加 重命名 移动 翻译 解释'.split(' ');

/** A question, or other work in German, French, Spanish, Japanese or Chinese. */
export const unrelatedWork = new RegExp(
  `[?？]|(?<!\\p{L})${alternatives(otherVerbStems)}|${otherVerbSigns.join('|')}`,
  'iu',
);

/** Words that every failure has, and that distinguish none. */
export const commonWords = words(
  'assert assertion assertionerror error typeerror expected actual received value values to be strictly deep deeply equal equals tobe toequal strictequal returns return true false null none undefined nan not should does than then into over off with from when that this has have was were are can will must one two all any the and for its given takes taken gives works test tests case cases js ts py src lib file line at in of on',
);

/** The words of the vocabulary by kind. */
export const kinds: ReadonlyMap<WordKind, ReadonlySet<string>> = new Map(
  Object.entries(vocabulary).map(([kind, list]) => [kind as WordKind, words(list)]),
);
