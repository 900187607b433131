/** Makes untrusted text inert in Markdown, titles, the log and the terminal (docs/security.md). */
import { hiddenCharactersIn, withoutHiddenCharacters } from '../guard/content/hidden-characters.ts';

/** Text as a reader sees it: no hidden characters, and only newlines between lines. */
function showText(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, '\n');
  return withoutHiddenCharacters(lines).text;
}

/** The beginning of a text on one line, of up to four times `maxChars`: the caller cuts it. */
function seenLine(text: string, maxChars: number): string {
  return showText(wholeStart(text, maxChars * 4))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Text in a code span, where it cannot ping, close, link or load anything. Newlines become spaces. */
export function inlineText(text: string, maxChars = 300): string {
  const plain = cutText(seenLine(text, maxChars), maxChars);
  if (plain === '') return '`(empty)`';
  const fence = '`'.repeat(longestRun(plain, '`') + 1);
  const pad = plain.startsWith('`') || plain.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${plain}${pad}${fence}`;
}

interface FenceLimits {
  readonly maxChars: number;
  readonly info?: string;
}

/** Text in a fence longer than any run of backticks in it. Text that is too long loses its middle. */
export function fencedText(text: string, { maxChars, info = 'text' }: FenceLimits): string {
  const kept = keepEnds(showText(text), maxChars);
  // the lines of a patch must stay unchanged, and none of them begins with a slash
  const plain = info === 'diff' || info === 'json' ? kept : kept.replace(command, '| $1');
  const fence = fenceOver(plain);
  return `${fence}${info}\n${plain.replace(/(?<!\n)\n+$/, '')}\n${fence}`;
}

/** A line that other bots take for a command, anywhere in a comment. */
const command = /^([ \t]*\/)(?=[a-z][^\s/]*(?:\s|$))/gim;

/** True if the text has a line that other bots take for a command. */
export function holdsCommand(text: string): boolean {
  return text.search(command) >= 0;
}

/** A fence that no run of backticks in the text can close. */
export function fenceOver(text: string): string {
  return '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
}

/** True if the text has hidden characters. Such a text is never shown as a suggestion. */
export function hidesText(text: string): boolean {
  return hiddenCharactersIn(text).length > 0;
}

/**
 * A table cell: code, with bars escaped as GitHub expects. No escape is safe behind a backslash, so a
 * text with both gets broken bars instead.
 */
export function cellText(text: string, maxChars = 120): string {
  return inlineText(text, maxChars).replaceAll('|', text.includes('\\') ? '¦' : '\\|');
}

/** The lines of a table whose cells are Markdown already. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)];
}

/** One plain line for a title or a commit subject. It pings nobody and refers to nothing. */
export function plainTitle(text: string, maxBytes = 100): string {
  const line = seenLine(text, maxBytes)
    .replace(/[`<>[\]!*|\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .trim()
    .replace(/^\/+/, '');
  return cutBytes(spacedReferences(line), maxBytes);
}

/**
 * A command as evidence, on one line of a commit message: as it was, or as the JSON text of it if GitHub would link a part
 * of it or a reader would not see one.
 */
export function commandLine(command: string): string {
  const isPlain =
    spacedReferences(command) === command && seenLine(command, command.length) === command;
  if (isPlain && !command.startsWith('/')) return command;
  const inUnicode = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(command).replace(
    /[^\x20-\x7e]|[@#](?=[\w-])|:(?=\/\/)|(?<=\bgh)-(?=\d)|(?<=\bwww)\./gi,
    inUnicode,
  );
}

/**
 * One paragraph without Markdown, pings, references or links: names that GitHub would take for one stand in code spans, from
 * where they can be copied. Text that is too long is cut between words.
 */
export function plainParagraph(text: string, maxChars = 600): string {
  const kept = showText(wholeStart(text, maxChars * 4)).replace(address, '(link removed)');
  return ownParagraph(kept, maxChars);
}

/** The same of a sentence of Photon's own with data in it: an address is code, too. */
export function ownParagraph(text: string, maxChars = 600): string {
  return inertLine(text, maxChars).replace(/^(?:[#+=-]|\d+[.)])/, '\\$&');
}

/** The same inside of a line, where nothing begins a list, heading or rule. An address is code. */
export function inertLine(text: string, maxChars: number): string {
  return cutAtWord(seenLine(text, maxChars), maxChars)
    .split(' ')
    .map((word, i) =>
      isReference(word) || (i === 0 && holdsCommand(word)) ? codeWord(word) : ownText(word),
    )
    .join(' ');
}

/** A word of which GitHub makes a ping, a link or a reference: `@x`, `o/r#1`, `GH-1`, an address, the name of a commit. */
function isReference(word: string): boolean {
  return /@[\w-]|#\d|\bgh-\d|:\/\/|www\.|\b[0-9a-f]{7,40}\b/i.test(word);
}

/** A word in a code span, with the punctuation around it outside. */
function codeWord(word: string): string {
  const [, before = '', inner = word, after = ''] =
    /^([("'[]*)(.*?(?:&#?\w+;)?)([)\]"'.,;:!?]*)$/.exec(word) ?? [];
  return `${ownText(before)}${inlineText(inner, word.length)}${ownText(after)}`;
}

/** Addresses of pages and people. A sentence about a patch needs none. */
const address =
  /\b[a-z][a-z\d+.-]{0,100}:\/\/\S+|\b(?:www\.|mailto:|xmpp:)\S+|[\w.+-]{1,100}@[\w-]+(?:\.[\w-]+)+/gi;

function cutAtWord(line: string, maxChars: number): string {
  const cutLine = cutText(line, maxChars);
  if (cutLine === line) return line;
  const space = cutLine.lastIndexOf(' ');
  return space > maxChars / 2 ? `${cutLine.slice(0, space)}…` : cutLine;
}

/** Breaks `@x`, `#1`, `GH-1` and addresses by a space: plain text has no code spans. */
function spacedReferences(line: string): string {
  return line
    .replace(/[@#](?=[\w-])|:(?=\/\/)/g, '$& ')
    .replace(/\bgh-(?=\d)/gi, '$& ')
    .replace(/\bwww(?=\.)/gi, '$& ');
}

function cutBytes(line: string, maxBytes: number): string {
  if (Buffer.byteLength(line) <= maxBytes) return line;
  const kept = [...line];
  let bytes = Buffer.byteLength(line);
  while (bytes > maxBytes - 3) bytes -= Buffer.byteLength(kept.pop() ?? ' ');
  const text = kept.join('');
  // between words, unless one word is most of the line
  const space = line[text.length] === ' ' ? -1 : text.lastIndexOf(' ');
  return `${space > text.length / 2 ? text.slice(0, space) : text.trimEnd()}…`;
}

/**
 * Photon's own text, which may contain `<placeholders>`, shown literally outside of code. GitHub takes a
 * dollar sign for mathematics unless it is inside a tag.
 */
export function ownText(text: string): string {
  return text.replace(/[\\`*_<>[\]&|~]/g, '\\$&').replaceAll('$', '<span>$$</span>');
}

/**
 * Text for standard output without commands to the runner: neither `::name::` at the start of a line nor
 * `##[name]` anywhere.
 */
export function inertLog(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f\u0085\u2028\u2029]/g, '\uFFFD')
    .replaceAll('::', ':\u200b:')
    .replaceAll('##[', '##\u200b[');
}

/**
 * Text for a terminal that cannot move the cursor, set a title, or reverse the text around it. If a runner
 * reads the output, it contains no command to the runner either.
 */
export function terminalText(text: string, onRunner: boolean): string {
  const plain = text
    .replace(/\r\n/g, '\n')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      '\uFFFD',
    );
  return onRunner ? inertLog(plain) : plain;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const c of text) {
    run = c === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${wholeStart(text, max - 1)}…`;
}

function keepEnds(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  const [head, tail] = [wholeStart(text, half), wholeEnd(text, half)];
  const gone = text.length - head.length - tail.length;
  return `${head}\n… ${gone} characters cut …\n${tail}`;
}

/** The first characters, without half of a surrogate pair at the end. */
function wholeStart(text: string, max: number): string {
  const kept = text.slice(0, max);
  return kept.length < text.length ? kept.replace(/[\ud800-\udbff]$/, '') : kept;
}

function wholeEnd(text: string, max: number): string {
  const kept = text.slice(Math.max(0, text.length - max));
  return kept.length < text.length ? kept.replace(/^[\udc00-\udfff]/, '') : kept;
}
