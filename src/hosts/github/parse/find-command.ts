/** The text of a comment ► the command in it, if GitHub shows that command to readers; and what its other fields say. Pure. */
import { digest } from '../../../base/digest.ts';
import type { CodeLocation, CommandComment } from '../../../base/task.ts';
import { splitNames } from '../../../settings/setting.ts';
import { triggerWord } from '../../../settings/triggers.ts';
import { isVerb, type Verb } from './verbs.ts';

/** A verb in lower case, which may not exist, and the text behind it. */
interface FoundCommand {
  readonly verb: string;
  readonly text: string;
  /** The model that `--model NAME` in front of the text chooses, empty if the name is missing; absent without a choice. */
  readonly model?: string;
}

/** The verbs whose run asks a model about the text behind them. */
const withModel: ReadonlySet<string> = new Set<Verb>(['fix', 'plan', 'ask', 'review']);

/** Keyboards of phones make one long dash of two, and a capital at the start. */
const chosenModel = /^(?:--|[–—])model(?![\w-])[\s=]*(\S*)\s*/i;

function takeModel({ verb, text }: FoundCommand): FoundCommand {
  const [whole = '', model] = withModel.has(verb) ? (chosenModel.exec(text) ?? []) : [];
  return { verb, text: text.slice(whole.length), model };
}

const photon = '/photon';

interface BehindName {
  readonly words: string;
  /** True behind a word of the team's own. */
  readonly isOwn: boolean;
}

/** Behind a word of the team's own, what these verbs have behind them on their line; anything else is prose. */
const ownForms: Partial<Record<Verb, RegExp>> = {
  stop: /^$/,
  status: /^$/,
  help: /^$/,
  retry: /^$/,
  undo: /^(?:#?\d+)?$/,
  approve: /^[\da-f]{6,64}$/i,
  accept: /^(?:[\w-]+(?:, ?[\w-]+)*)?$/,
  'keep-green': /^(?:off)?$/i,
};

/** True for a verb and its text, and not for a sentence that begins with the verb. */
const isCommand = (verb: string, text: string) =>
  isVerb(verb) && (ownForms[verb]?.test(text.trim()) ?? true);

/** The words that the input `trigger-words` names. Anything else is refused when the settings are read. */
export function readTriggerWords(input = ''): readonly string[] {
  return splitNames(input).filter(word => triggerWord.test(word));
}

/** Tags that begin an HTML block of kind 6 (CommonMark 0.31, section 4.6). */
const blockTags = [
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset',
  'figcaption figure footer form frame frameset h[1-6] head header hr html iframe legend li link',
  'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody',
  'td tfoot th thead title tr track ul',
].flatMap(line => line.split(' '));

/** Blocks that GitHub does not show as running text: their start and their end. */
const hiddenBlocks: readonly (readonly [RegExp, RegExp])[] = [
  [/<!--/, /--!?>/],
  [/<\?/, /\?>/],
  [/<!\[CDATA\[/, /\]\]>/],
  [/<![A-Za-z]/, />/],
  // a formula in its own block
  [/^ {0,3}\$\$/, /\$\$/],
  [/^ {0,3}<(?:pre|script|style|textarea)(?=[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  // the tags of a page, up to an empty line
  [new RegExp(`^ {0,3}</?(?:${blockTags.join('|')})(?=[\\s>]|/>|$)`, 'i'), /^\s*$/],
];

const fenceStart = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const quoted = /^ {0,3}>/;
const max = 100_000;

/** Any white space, also what cannot be seen. Four spaces or a tab in front make a line indented code. */
const name =
  /^ {0,3}(?:(?![ \t])[\s\u200b\u2060]+)?([@/!][a-z0-9][\w-]*)(?=[\s\u200b\u2060:,.;!?]|$)/iu;
/** One colon or comma may stand behind the name, and behind the verb. */
const behindName = /^[\s\u200b\u2060]*[:,]?[\s\u200b\u2060]*/u;
const verbAndText = /^([^\s\u200b\u2060:,]+|\S+)[:,]?[\s\u200b\u2060]*(.*)$/u;

/** What a line has behind `/photon` or a word of the team's own; undefined if it begins with neither. */
function wordsBehindName(line: string, own: ReadonlySet<string>): BehindName | undefined {
  const [whole, word = ''] = name.exec(line) ?? [];
  const typed = word.toLowerCase();
  const isOwn = typed !== photon;
  if (whole === undefined || (isOwn && !own.has(typed))) return undefined;
  const rest = line.slice(whole.length);
  // the name of a file, such as `/fix.sh`
  if (isOwn && /^\.\S/.test(rest)) return undefined;
  return { words: rest.replace(behindName, '').trimEnd(), isOwn };
}

/**
 * The first `/photon`, or word of the team's own, at the start of a line of running text, or undefined. Running text
 * excludes fences, indented code, HTML, quotes (up to the blank line after their paragraph), formulas,
 * code spans, tags, and addresses and titles of links. The text behind the verb goes on to the end of
 * the comment. Behind an own word, what is no command is the text of `fix`.
 */
export function findCommand(
  body: string,
  ownWords: readonly string[] = [],
): FoundCommand | undefined {
  const own = new Set(ownWords.map(word => word.toLowerCase()));
  const lines = body.slice(0, max).replace(/\r\n?/g, '\n').split('\n');
  const reader = { fence: '', until: undefined as RegExp | undefined, quote: false };
  for (const [i, line] of lines.entries()) {
    if (!isRunningText(line, reader)) continue;
    const behind = wordsBehindName(line, own);
    if (behind === undefined || isHiddenInline(...paragraphAround(lines, i))) continue;
    const { words, isOwn } = behind;
    const [, typed = '', text = ''] = verbAndText.exec(words) ?? [];
    const rest = lines.slice(i + 1).join('\n');
    const verb = typed.toLowerCase();
    if (isOwn && !isCommand(verb, text))
      return takeModel({ verb: 'fix', text: `${words}\n${rest}`.trim() });
    return takeModel({ verb: verb || 'help', text: `${text}\n${rest}`.trim() });
  }
  return undefined;
}

/** The paragraph that a line belongs to, and the offset of the line in it. */
function paragraphAround(lines: readonly string[], index: number): [string, number] {
  const isEnd = (line: string | undefined) => line === undefined || line.trim() === '';
  let [from, to] = [index, index];
  while (!isEnd(lines[from - 1])) from -= 1;
  while (!isEnd(lines[to + 1])) to += 1;
  const before = lines.slice(from, index).map(line => `${line}\n`);
  const text = lines.slice(from, to + 1).join('\n');
  return [text, before.join('').length];
}

interface Reader {
  /** The fence that is open; empty outside. */
  fence: string;
  /** The end of the hidden block that is open; undefined outside. */
  until: RegExp | undefined;
  /** True while the paragraph of a quote can go on. */
  quote: boolean;
}

/** True when the line begins as running text. The reader moves past the line. */
function isRunningText(line: string, reader: Reader): boolean {
  if (reader.fence !== '') {
    const end = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1] ?? '';
    if (end.startsWith(reader.fence)) reader.fence = '';
    return false;
  }
  if (reader.until !== undefined) {
    if (reader.until.test(line)) reader.until = undefined;
    return false;
  }
  const fence = fenceStart.exec(line)?.[1];
  if (fence !== undefined) {
    reader.fence = fence;
    reader.quote = false;
    return false;
  }
  reader.until = openedBlock(line);
  if (quoted.test(line)) {
    // a fence or a heading in a quote has no paragraph that can go on
    reader.quote = !/^ {0,3}>[ >]*(?:$|`{3,}|~{3,}|#{1,6} )/.test(line);
    return false;
  }
  reader.quote = reader.quote && line.trim() !== '';
  return !reader.quote;
}

/** The end of a hidden block that this line opens and does not close, or undefined. */
function openedBlock(line: string): RegExp | undefined {
  for (const [start, end] of hiddenBlocks) {
    let rest = line;
    for (;;) {
      const opened = start.exec(rest);
      if (opened === null) break;
      rest = rest.slice(opened.index + opened[0].length);
      const closed = end.exec(rest);
      if (closed === null) return end;
      rest = rest.slice(closed.index + closed[0].length);
    }
  }
  return undefined;
}

/** Longest construct that is recognised, in characters, and maximum number of them: they limit the work. */
const maxLength = 20_000;
const maxConstructs = 1000;

const attribute = String.raw`\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`;
const title = String.raw`(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))`;
const address = String.raw`(?:<[^<>\n]*>|[^\s<>]+)`;

/** Constructs of CommonMark and GitHub that hold attributes, addresses or formulas. */
const hidden: readonly RegExp[] = [
  new RegExp(String.raw`<[A-Za-z][\w-]*(?:${attribute})*\s*/?>`, 'y'),
  // the address and the title of a link
  new RegExp(String.raw`\]\(\s*(?:${address})?(?:\s+${title})?\s*\)`, 'y'),
  new RegExp(String.raw`\]:\s*${address}(?:\s+${title})?`, 'y'),
  /\$\$[\s\S]*?\$\$/y,
  /\$(?![\s$])[^$]*?(?<![\s\\])\$(?![\w])/y,
];

/**
 * True when an offset of a paragraph lies in a code span, a tag, the address or title of a link, or a
 * formula. If it is uncertain how GitHub shows the text, the offset counts as hidden.
 */
export function isHiddenInline(paragraph: string, offset: number): boolean {
  let at = 0;
  let constructs = 0;
  while (at < offset) {
    if (/[`<\]$]/.test(paragraph[at] ?? '')) constructs += 1;
    if (constructs > maxConstructs) return true;
    const end = endOfConstruct(paragraph, at);
    if (end > offset) return true;
    at = end;
  }
  return false;
}

/** The offset behind the construct, or the character, that begins at `at`. */
function endOfConstruct(text: string, at: number): number {
  const first = text[at];
  if (first === '\\') return at + 2;
  if (first === '`') return endOfCode(text, at);
  if (first !== '<' && first !== ']' && first !== '$') return at + 1;
  const near = text.slice(at, at + maxLength);
  for (const pattern of hidden) {
    pattern.lastIndex = 0;
    const found = pattern.exec(near);
    if (found !== null) return at + found[0].length;
  }
  return at + 1;
}

/** The offset behind a code span, or behind its opening marks when nothing closes them. */
function endOfCode(text: string, at: number): number {
  const mark = /`+/y;
  mark.lastIndex = at;
  const size = mark.exec(text)?.[0].length ?? 1;
  const close = new RegExp(`(?<!\`)\`{${size}}(?!\`)`, 'g');
  close.lastIndex = at + size;
  const found = close.exec(text);
  return found === null ? at + size : found.index + size;
}

/** A mark of Photon's. A text with a mark was posted by Photon and is no command, whatever account posted it. */
export const ownMark = /<!-- photon:[a-z]+=/;

/** Short digest of a comment's text. */
export function textDigest(body: string): string {
  return digest(body.replace(/\r\n?/g, '\n')).slice(0, 16);
}

/** Names a comment with a command. */
export function pointTo({
  kind,
  id,
  body,
}: CommandComment & { readonly body: string }): CommandComment {
  return { kind, id, digest: kind === 'review-body' ? textDigest(body) : undefined };
}

/** Location of a review comment; undefined for comments that are not about a file. */
export function findLocation(comment: {
  readonly path?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly start_line?: number | null | undefined;
}): CodeLocation | undefined {
  const { path, line: end, start_line: start } = comment;
  if (path == null) return undefined;
  return { path, startLine: start ?? end ?? null, endLine: end ?? null };
}
