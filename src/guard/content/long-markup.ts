/** Finds the markup of a text that takes too long to parse, line by line: what surely is markup, and no code. */

/** A part of a text in micromark's words. */
export interface Piece {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** Nobody sees it, whatever it is. */
  readonly isHidden: boolean;
  /** What is hidden in a block that may be no HTML; counted from its start. */
  readonly inner?: readonly Piece[] | undefined;
}

/** Marks of quotes and lists before a block. */
const container = String.raw`(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*`;
const anyFence = new RegExp(`^${container}(?:\`{3}|~{3})`);
const ownFence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const fenceWords = new RegExp(
  `^${container}(?:\`{3,}(?!\`)(?=[^\`]*$)|~{3,}(?!~))[ \\t]*\\S+(?<words>[ \\t][^\\n]*)$`,
);
const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const beginsTag = new RegExp(`^${container}<`);
const isBlank = /^[ \t]*$/;
/** A line of a diagram that draws nothing. */
export const isRemark = /^[\s>]*%%/;

/** A character by its name or number. */
export const entity = /&(?:#\d{1,7};?|#x[\da-f]{1,6};?|[a-z][a-z\d]{1,31};)/gi;

/** The names of tags that begin a block of HTML (CommonMark, condition 6), and those that go on behind a blank line. */
const blockNames =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|source|summary|table|tbody|td|tfoot|th|thead|' +
  'title|tr|track|ul';
const rawNames = 'pre|script|style|textarea';

/** A tag as CommonMark defines it, whose values may hold a slash. */
const tag = String.raw`<[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>${'`'}]+))?)*\s*\/?>`;
export const commonTag = new RegExp(tag, 'gi');

const beginsHtml = new RegExp(
  `^${container}(?=<)(?:(?<raw><(?:${rawNames})(?=[\\s>]|$))|(?<comment><!--)|(?<data><!\\[CDATA\\[)|(?<cut><\\?)|(?<declaration><![a-z])|` +
    `</?(?:${blockNames})(?=[\\s>]|/>|$)|(?:${tag}|</[a-z][a-z\\d-]*\\s*>)[ \\t]*$)`,
  'i',
);
/** Where a block of HTML ends that a blank line does not end. */
const htmlEnds: Readonly<Record<string, RegExp>> = {
  raw: new RegExp(`</(?:${rawNames})>`, 'i'),
  comment: /-->/,
  data: /\]\]>/,
  cut: /\?>/,
  declaration: />/,
};

interface Line {
  readonly at: number;
  readonly text: string;
}

const namesIn = (source: string, pattern: RegExp) =>
  new Set([...source.matchAll(pattern)].map(([, name = '']) => name.toLowerCase()));

const footnote =
  /^ {0,3}\[\^(?<name>[^\]\s]+)\]:[^\n]*(?:\n(?![ \t]*(?:$|[#>`~<]|[-*+] |\d+[.)] )| {0,3}\[\^)[^\n]+|(?:\n[ \t]*)+\n {4}[^\n]*)*/gm;

/** The footnotes that nothing refers to, which a page leaves out. */
export function findFootnotes(source: string): readonly Piece[] {
  if (!source.includes('[^')) return [];
  const used = namesIn(source, /\[\^([^\]\s]+)\](?!:)/g);
  return [...source.matchAll(footnote)]
    .filter(({ groups }) => !used.has((groups?.name ?? '').toLowerCase()))
    .map(({ index: start, 0: text }) => hiddenPiece('footnote', start, start + text.length));
}

const hiddenPiece = (type: string, start: number, end: number): Piece => ({
  type,
  start,
  end,
  isHidden: true,
});

interface State {
  readonly source: string;
  readonly labels: ReadonlySet<string>;
  /** Those that a page leaves out, by where they begin. */
  readonly footnotes: ReadonlyMap<number, Piece>;
  readonly found: Piece[];
  /** The lines of a paragraph so far. */
  block: Line[];
  html:
    | { readonly start: number; readonly end: RegExp | undefined; readonly isSure: boolean }
    | undefined;
  fence: { readonly mark: string; readonly isMermaid: boolean } | undefined;
  /** Behind a fence that GitHub may read otherwise, all is text. */
  isSure: boolean;
}

/** What is markup in a text, from its beginning to its end. */
export function findMarkup(source: string): readonly Piece[] {
  const labels = namesIn(source, /^[ \t>*+\-\d.)]*\[([^\]\n]+)\]:/gm);
  const state: State = {
    source,
    labels,
    footnotes: new Map(findFootnotes(source).map(note => [note.start, note])),
    found: [],
    block: [],
    html: undefined,
    fence: undefined,
    isSure: true,
  };
  let at = 0;
  for (const text of source.split('\n')) {
    const line = { at, text };
    if (state.fence !== undefined) readCode(state, line);
    else if (state.html !== undefined) readHtml(state, line);
    else readText(state, line);
    at += text.length + 1;
  }
  endBlock(state);
  endHtml(state, source.length);
  return state.found;
}

function readCode(state: State, { at, text }: Line): void {
  const { mark = '', isMermaid = false } = state.fence ?? {};
  const fence = text.replace(/^ {0,3}/, '');
  if (fence.startsWith(mark) && isBlank.test(fence.replaceAll(mark[0] ?? '', '')))
    state.fence = undefined;
  else if (isMermaid && isRemark.test(text))
    state.found.push(hiddenPiece('codeFlowValue', at, at + text.length));
}

function readHtml(state: State, { at, text }: Line): void {
  const end = state.html?.end;
  if (end === undefined && isBlank.test(text)) endHtml(state, at - 1);
  else if (end?.test(text)) endHtml(state, at + text.length);
  else if (end === undefined && anyFence.test(text)) state.isSure = false;
}

function readText(state: State, { at, text }: Line): void {
  const end = at + text.length;
  const note = state.footnotes.get(at);
  if (note !== undefined) state.found.push(note);
  state.found.push(...fenceWordsIn({ at, text }));
  if (anyFence.test(text)) {
    const [, ticks, tildes] = ownFence.exec(text) ?? [];
    const mark = ticks ?? tildes;
    if (mark === undefined || state.block.some(line => beginsTag.test(line.text)))
      state.isSure = false;
    if (state.isSure && mark !== undefined) {
      endBlock(state);
      state.fence = { mark, isMermaid: /^[`~]+[ \t]*mermaid\b/i.test(text) };
      return;
    }
  }
  const begun = beginsHtml.exec(text);
  const isHeading = heading.test(text);
  if (isBlank.test(text) || isHeading || begun !== null) endBlock(state);
  if (!isBlank.test(text) && begun === null) state.block.push({ at, text });
  if (isHeading) endBlock(state);
  if (begun === null) return;
  const start = text.indexOf('<');
  const kind = Object.entries(begun.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
  // in a list or a quote it ends with that
  if (kind !== undefined && start > 0) state.isSure = false;
  const isSure = start === 0 && !/[>\s]$/.test(begun[0]);
  state.html = { start: at + start, end: htmlEnds[kind ?? ''], isSure };
  if (state.html.end?.test(text.slice(start))) endHtml(state, end);
}

function fenceWordsIn({ at, text }: Line): readonly Piece[] {
  const words = fenceWords.exec(text)?.groups?.words;
  const end = at + text.length;
  return words === undefined ? [] : [hiddenPiece('codeFencedFenceMeta', end - words.length, end)];
}

function endHtml(state: State, end: number): void {
  const { html, source, labels } = state;
  if (html === undefined) return;
  const { start } = html;
  const inner = html.isSure ? undefined : hiddenIn(source.slice(start, end), labels);
  state.found.push({ type: 'htmlFlow', start, end, isHidden: false, inner });
  state.html = undefined;
}

/** What a block hides if it is no HTML. */
function hiddenIn(block: string, labels: ReadonlySet<string>): readonly Piece[] {
  const found = [...definitionsIn(block), ...inlineMarkup(block, labels)];
  let at = 0;
  for (const text of block.split('\n')) {
    found.push(...fenceWordsIn({ at, text }));
    at += text.length + 1;
  }
  return found.filter(piece => piece.isHidden);
}

function endBlock(state: State): void {
  const [first] = state.block;
  if (first === undefined) return;
  const text = state.block.map(line => line.text).join('\n');
  state.block = [];
  for (const { type, start, end, isHidden } of [
    ...definitionsIn(text),
    ...inlineMarkup(text, state.labels),
  ])
    state.found.push({ type, start: first.at + start, end: first.at + end, isHidden });
}

const titleText = String.raw`(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^()\\])*\))`;
const definition = new RegExp(
  String.raw`^${container}\[(?<label>(?:\\.|[^\[\]\\])+)\]:[ \t]*(?:\n[ \t>]*)?(?<destination><[^<>\n]*>|[^\s<]\S*)(?<title>(?:[ \t]+|[ \t]*\n[ \t>]*)${titleText})?[ \t]*$`,
  'gm',
);

/** Definitions that serve as comments or whose labels hold words, and the titles of the others. */
function definitionsIn(text: string): readonly Piece[] {
  return [...text.matchAll(definition)].flatMap(({ index, 0: whole, groups = {} }) => {
    const { label = '', destination = '', title } = groups;
    const end = index + whole.length;
    if (label.startsWith('^')) return [];
    if (/^(?:#|<>|\/\/)$/.test(destination) || /\s/.test(label.trim()))
      return [hiddenPiece('definition', index, end)];
    const until = index + whole.trimEnd().length - (title ?? '').length;
    const words = /\s/.test(destination)
      ? [hiddenPiece('definitionDestinationString', until - destination.length, until)]
      : [];
    return title === undefined ? words : [...words, hiddenPiece('definitionTitle', until, end)];
  });
}

/** What counts within a paragraph, in CommonMark's order: what begins first, wins. */
const inline = new RegExp(
  [
    String.raw`\\[!-/:-@[-\x60{-~]`,
    '(?<ticks>`+)(?!`)[^|\\n\\r\\u2028\\u2029]*?(?<!`)\\k<ticks>(?!`)',
    '(?<unpaired>`+)',
    String.raw`(?<opener><!--|<\?|<!\[CDATA\[|<!(?=[a-z]))`,
    '<[a-z][a-z\\d+.-]{1,31}:[^\\s<>]*>',
    `(?<tag>${tag})`,
    String.raw`!\[(?<label>(?:\\.|[^\[\]\\]|\[[^\[\]]*\]){1,1000})\](?<target>[(\[]?)`,
    String.raw`(?<=\])\(\s*(?<words><[^<>\n]*>|(?=(?<run>\S{0,2000}))\k<run>)(?<title>\s+${titleText})?\s*\)`,
    `(?<entity>${entity.source})`,
  ].join('|'),
  'gi',
);
const closers: Readonly<Record<string, string>> = {
  '<!--': '-->',
  '<?': '?>',
  '<![CDATA[': ']]>',
  '<!': '>',
};

/** True for what no destination is: one of its parentheses closes none of its own. */
function closesEarly(destination: string): boolean {
  let depth = 0;
  for (const character of destination.startsWith('<') ? '' : destination.replace(/\\./g, '')) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (depth < 0) return true;
  }
  return false;
}

/** Code within a line is no markup, up to a mark of code that its line does not close. */
function inlineMarkup(text: string, labels: ReadonlySet<string>): readonly Piece[] {
  const found: Piece[] = [];
  let isSure = true;
  const open = new Set(Object.keys(closers));
  inline.lastIndex = 0;
  for (let match = inline.exec(text); match !== null; match = inline.exec(text)) {
    const { index: start, 0: whole, groups = {} } = match;
    const { ticks, unpaired, opener, label, words, title } = groups;
    let end = start + whole.length;
    if (unpaired !== undefined) isSure = false;
    if (ticks !== undefined && !isSure) inline.lastIndex = start + ticks.length;
    if (opener !== undefined) {
      const closer = closers[opener.toUpperCase()] ?? '';
      const at = open.has(opener.toUpperCase()) ? text.indexOf(closer, end) : -1;
      if (at < 0) {
        open.delete(opener.toUpperCase());
        continue;
      }
      end = at + closer.length;
      inline.lastIndex = end;
    }
    if (opener !== undefined || groups.tag !== undefined) {
      found.push({ type: 'htmlText', start, end, isHidden: false });
      if (text.slice(start, end).includes('`')) isSure = false;
    }
    if (groups.entity !== undefined)
      found.push({ type: 'characterReference', start, end, isHidden: false });
    if (label !== undefined) {
      if (groups.target !== '') inline.lastIndex = end - 1;
      if (groups.target !== '' || labels.has(label.toLowerCase()))
        found.push(hiddenPiece('labelText', start + 2, start + 2 + label.length));
    }
    if (words?.startsWith('<') && /\s/.test(words)) {
      const at = start + whole.indexOf('<') + 1;
      found.push(hiddenPiece('resourceDestinationString', at, at + words.length - 2));
    }
    if (title !== undefined && closesEarly(words ?? '')) inline.lastIndex = start + 1;
    else if (title !== undefined) {
      const at = start + whole.lastIndexOf(title);
      found.push(hiddenPiece('resourceTitle', at, at + title.length));
    }
  }
  return found;
}
