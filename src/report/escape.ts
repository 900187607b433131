/** Untrusted words made inert for Markdown, titles and the log (THREATS T12, T18, 3.9). */
import { hiddenCharactersIn, withoutHiddenCharacters } from '../guard/hidden-characters.ts';

/** Text as a reader sees it: no hidden character, and no end of a line but a newline. */
function seen(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, '\n');
  return withoutHiddenCharacters(lines).text;
}

/** Words in a code span: nothing in it pings, closes, links or loads. Newlines become spaces. */
export function inlineText(text: string, maxChars = 300): string {
  const plain = cut(
    seen(wholeStart(text, maxChars * 4))
      .replace(/\s+/g, ' ')
      .trim(),
    maxChars,
  );
  if (plain === '') return '`(empty)`';
  const fence = '`'.repeat(longestRun(plain, '`') + 1);
  const pad = plain.startsWith('`') || plain.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${plain}${pad}${fence}`;
}

export interface FenceLimits {
  readonly maxChars: number;
  readonly info?: string;
}

/** Text in a fence that is longer than any run of backticks in it; keeps head and tail when cut. */
export function fencedText(text: string, { maxChars, info = 'text' }: FenceLimits): string {
  const kept = keepEnds(seen(text), maxChars);
  // the lines of a patch must stay as they are, and none of them begins with a slash
  const plain = info === 'diff' || info === 'json' ? kept : kept.replace(command, '$1\u2060');
  const fence = fenceOver(plain);
  return `${fence}${info}\n${plain.replace(/\n+$/, '')}\n${fence}`;
}

/** A line that other bots take for a command to them, wherever in a comment it stands. */
const command = /^([ \t]*\/)(?=[a-z][\w-]*(?:\s|$))/gim;

/** True for a text with such a line. */
export function holdsCommand(text: string): boolean {
  return text.search(command) >= 0;
}

/** A fence that no run of backticks in a text closes. */
export function fenceOver(text: string): string {
  return '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
}

/** True for a text that a reader would not see as it is; such a text is never shown as a suggestion. */
export function hidesText(text: string): boolean {
  return hiddenCharactersIn(text).length > 0;
}

/**
 * A cell of a table: code, with the bar escaped as GitHub reads it. Behind a backslash no escape is
 * safe, so that a text with both gets a broken bar.
 */
export function cellText(text: string, maxChars = 120): string {
  return inlineText(text, maxChars).replaceAll('|', text.includes('\\') ? '¦' : '\\|');
}

/** One plain line for a title or a commit subject: nobody is pinged, nothing is referred to. */
export function plainTitle(text: string, maxBytes = 100): string {
  const line = seen(wholeStart(text, maxBytes * 4))
    .replace(/\s+/g, ' ')
    .replace(/[`<>[\]!*_|\\]/g, '')
    .trim()
    .replace(/^\/+/, '');
  return cutBytes(withoutReferences(line), maxBytes);
}

/** One paragraph in which nothing is Markdown, pings, refers or links; cut at a word. */
export function plainParagraph(text: string, maxChars = 600): string {
  const line = cutAtWord(
    seen(wholeStart(text, maxChars * 4))
      .replace(address, '(address left out)')
      .replace(/\s+/g, ' ')
      .trim(),
    maxChars,
  );
  const plain = withoutReferences(line)
    .replace(commitName, '$1\u2060$2')
    .replace(command, '$1\u2060');
  return ownText(plain).replace(/^(?:[#+=-]|\d+[.)])/, '\\$&');
}

/** Addresses of pages and of people; a sentence about a patch needs none. */
const address =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:mailto|xmpp):\S+/gi;

/** A word that GitHub would link as a commit. */
const commitName = /\b([0-9a-f])([0-9a-f]{6,39})\b/gi;

function cutAtWord(line: string, maxChars: number): string {
  const cutLine = cut(line, maxChars);
  if (cutLine === line) return line;
  const space = cutLine.lastIndexOf(' ');
  return space > maxChars / 2 ? `${cutLine.slice(0, space)}…` : cutLine;
}

/** `@x`, `#1`, `GH-1` and addresses refer to nothing, and no word closes what they named. */
function withoutReferences(line: string): string {
  const broken = line
    .replace(/[@#]/g, found => `${found}\u2060`)
    .replace(/\bgh-(?=\d)/gi, found => `${found}\u2060`)
    .replace(/:\/\//g, ':\u2060//')
    // behind the dot it would be a part of the host's name, which browsers leave out
    .replace(/\bwww(?=\.)/gi, found => `${found}\u2060`);
  if (broken === line) return line;
  return broken.replace(
    /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b/gi,
    found => `${found[0]}\u2060${found.slice(1)}`,
  );
}

function cutBytes(line: string, maxBytes: number): string {
  if (Buffer.byteLength(line) <= maxBytes) return line;
  const kept = [...line];
  let bytes = Buffer.byteLength(line);
  while (bytes > maxBytes - 3) bytes -= Buffer.byteLength(kept.pop() ?? ' ');
  const text = kept.join('');
  // never in a word, unless the word is most of the line
  const space = line[text.length] === ' ' ? -1 : text.lastIndexOf(' ');
  return `${space > text.length / 2 ? text.slice(0, space) : text.trimEnd()}…`;
}

/**
 * Words of Photon's own that may hold `<placeholders>`: shown as they are, outside of code. A dollar sign
 * begins mathematics unless it stands in a tag, which is how GitHub's documentation writes one.
 */
export function ownText(text: string): string {
  return text.replace(/[\\`*_<>[\]&|~]/g, '\\$&').replaceAll('$', '<span>$$</span>');
}

/**
 * Text for standard output in which the runner finds no command: neither `::name::` at the start
 * of a line nor `##[name]` anywhere.
 */
export function inertLog(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f\u0085\u2028\u2029]/g, '\uFFFD')
    .replaceAll('::', ':\u200b:')
    .replaceAll('##[', '##\u200b[');
}

/**
 * Text for a terminal: nothing in it moves the cursor, sets a title, or turns what stands beside it around.
 * Where a runner reads the output, it finds no command in it either.
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

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${wholeStart(text, max - 1)}…`;
}

function keepEnds(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  const [head, tail] = [wholeStart(text, half), wholeEnd(text, half)];
  const gone = text.length - head.length - tail.length;
  return `${head}\n… ${gone} characters cut …\n${tail}`;
}

/** The first characters; never half of a pair of surrogates at the cut. */
function wholeStart(text: string, max: number): string {
  const kept = text.slice(0, max);
  return kept.length < text.length ? kept.replace(/[\ud800-\udbff]$/, '') : kept;
}

function wholeEnd(text: string, max: number): string {
  const kept = text.slice(Math.max(0, text.length - max));
  return kept.length < text.length ? kept.replace(/^[\udc00-\udfff]/, '') : kept;
}
