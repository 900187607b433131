/** Removes what GitHub's rendering of Markdown does not show: comments, attributes, alternative texts, titles, hidden entities. */
import { micromark } from 'micromark';
import { readMarkdown } from '../../base/markdown.ts';
import { hiddenCharactersIn, withoutHiddenCharacters } from './hidden-characters.ts';

/** A text that a reader sees whole. */
export interface CleanText {
  readonly text: string;
  /** Hidden characters and hidden pieces of markup that were removed or made visible. */
  readonly removed: number;
}

/** What can hold unshown text: a tag, a comment, an image, a title, an entity, or words behind the language of a fence. */
const candidate = /<[a-z!?]|!\[|\][(:]|&[#a-z]|`{3}|~{3}/i;

/** Parts of Markdown that a page does not show; the text of a label is one inside an image. */
const unshown: ReadonlySet<string> = new Set([
  'resourceTitle',
  'definitionTitle',
  'codeFencedFenceMeta',
]);

/** What a browser reads as markup, up to its end: a comment, a declaration, or a tag with its attributes. */
const markup =
  /<!--[\s\S]*?--!?>|<\?[\s\S]*?\?>|(?<open><!--[\s\S]*)|(?<cut><\?[\s\S]*)|<![a-z[][\s\S]*?(?:>|$)|<(?<name>[a-z][^\s/>]*)(?<attributes>(?:[\s/=]+|[^\s/>=]+(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>"'][^\s>]*)?)?)*)(?:>|$)/gi;
const attribute = /([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>"'][^\s>]*))?)?/g;
const entity = /&(?:#\d{1,7};?|#x[\da-f]{1,6};?|[a-z][a-z\d]{1,31};)/gi;

const commentEnd = /--!?>/;

/** A link definition that is used as a comment, or whose label holds words, where Markdown is not parsed; and a parsed one. */
const definition =
  /^[ ]{0,3}\[[^\]\n]*\]:[ \t]*(?:#|<>|\/\/)[ \t]*(?:\([^)\n]*\)|"[^"\n]*"|'[^'\n]*')[ \t]*$/gm;
const wordyDefinition = /^[ ]{0,3}\[[^\]\n]*[ \t][^\]\n]*\]:[ \t]*\S+[ \t]*$/gm;
const parsedDefinition = /^\[(?<label>(?:\\.|[^\]\\])*)\]:\s*(?<comments>(?:#|<>|\/\/)(?:\s|$))?/;

/** A tag and a comment as CommonMark defines them, and the parts of a text in which none begins or micromark found it. */
const commonTag =
  /<[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/gi;
const commonComment = /<!--[\s\S]*?-->/g;
const settled: ReadonlySet<string> = new Set(
  'autolink characterEscape codeFenced codeIndented codeText htmlFlow htmlText'.split(' '),
);

/** Attributes that stay: where an image is, and where a link leads. Nobody writes a sentence without a space. */
const keptAttribute = /^(?:src|href)$/i;

/** Alternative texts and titles, where Markdown is not parsed. */
const imageLabel = /!\[[^\]]{0,1000}\]/g;
const title =
  /(\]\([^\s)]{0,2000})\s{1,100}(?:"[^"]{0,1000}"|'[^']{0,1000}'|\([^()]{0,1000}\))\s{0,100}\)/g;

/** Markup whose removal joins new markup, this many times over, was made to: then the rest is removed from there on. */
const maxPasses = 20;

const countLetters = (text: string) => [...text].length;

/**
 * A text that people write on GitHub, as a reader of the page sees it. Code keeps what it says, except in a text that
 * takes too long to parse.
 */
export function withoutUnshown(raw: string): CleanText {
  // micromark counts its offsets without the mark
  let text = raw.replace(/^\ufeff/, '');
  let removed = raw.length - text.length;
  for (let passes = 0; ; passes++) {
    const before = text;
    const at = passes === maxPasses ? text.search(markup) : -1;
    const shown = at < 0 ? showOnce(text) : cutOff(text, at);
    // what GitHub parses has these characters, and they cannot split markup for the model
    const visible = withoutHiddenCharacters(shown.text);
    removed += shown.removed + visible.removed;
    text = visible.text;
    if (text === before || passes === maxPasses) break;
  }
  return { text, removed };
}

function showOnce(source: string): CleanText {
  if (!candidate.test(source)) return { text: source, removed: 0 };
  return showParsed(source) ?? showUnparsed(source);
}

function showParsed(source: string): CleanText | undefined {
  const events = readMarkdown(source);
  if (events === undefined) return undefined;
  let text = '';
  let [end, images, removed] = [0, 0, 0];
  // where a comment began that is still open: a browser shows nothing up to its end
  let open: number | undefined;
  const starts = new Set(
    [commonTag, commonComment].flatMap(p => [...source.matchAll(p)].map(found => found.index)),
  );
  for (const [kind, { type, start, end: until }] of events) {
    if (type === 'image') images += kind === 'enter' ? 1 : -1;
    if (kind === 'exit' || start.offset < end) continue;
    if (settled.has(type))
      for (const at of starts) if (at >= start.offset && at < until.offset) starts.delete(at);
    let part = source.slice(start.offset, until.offset);
    text += source.slice(end, start.offset);
    end = start.offset;
    const isHtml = type === 'htmlFlow' || type === 'htmlText';
    if (open !== undefined && isHtml) {
      const closed = commentEnd.exec(part);
      if (closed === null) continue;
      const rest = closed.index + closed[0].length;
      removed += countLetters(text.slice(open)) + rest;
      text = text.slice(0, open);
      open = undefined;
      part = part.slice(rest);
    }
    const shown = isHtml
      ? showHtml(part)
      : showPart({ type, inImage: images > 0, whole: source }, part);
    if (shown === undefined) continue;
    open ??= shown.open === undefined ? undefined : text.length + shown.open;
    text += shown.text;
    removed += shown.removed;
    end = until.offset;
  }
  // micromark takes an unquoted value with a slash for text, and what follows it for code
  if (starts.size > 0) return undefined;
  return closeMarkup({ text: text + source.slice(end), removed, open });
}

interface ShownMarkup extends CleanText {
  /** Where a comment begins that nothing closes. */
  readonly open?: number | undefined;
}

interface PartOfText {
  /** As micromark names it. */
  readonly type: string;
  readonly inImage: boolean;
  readonly whole: string;
}

/** False for a definition that serves as a comment, and for one whose label holds words that no link of the text shows. */
function isUsed(source: string, whole: string): boolean {
  const { label = '', comments } = parsedDefinition.exec(source)?.groups ?? {};
  if (comments !== undefined) return false;
  const shown = new RegExp(`(?<![\\]!])\\[${RegExp.escape(label)}\\](?![:[])`, 'i');
  return !/\s/.test(label.trim()) || shown.test(whole);
}

/** What stays of a part that is no HTML; undefined if the part is shown as it is. */
function showPart({ type, inImage, whole }: PartOfText, source: string): ShownMarkup | undefined {
  const isHidden =
    unshown.has(type) ||
    (inImage && type === 'labelText') ||
    // a label is no place for words, unless the page shows it
    (type === 'referenceString' && /\s/.test(source)) ||
    (type === 'definition' && !isUsed(source, whole));
  if (isHidden) return { text: '', removed: countLetters(source) };
  if (type !== 'characterReference') return undefined;
  const text = decodeHidden(source);
  return { text, removed: source.length - text.length };
}

function showHtml(source: string): ShownMarkup {
  let [open, removed] = ['', 0];
  const count = (before: string, after: string) => {
    removed += Math.max(0, countLetters(before) - countLetters(after));
    return after;
  };
  const bare = source.replace(markup, (whole: string, ...rest: unknown[]) => {
    const found = rest.at(-1) as Record<string, string | undefined>;
    open = found.open ?? '';
    if (found.name !== undefined)
      return count(whole, showTag(whole, found.name, found.attributes ?? ''));
    if (open === '') count(whole, '');
    return found.cut === undefined ? '' : countHidden(whole);
  });
  const text = bare.replace(entity, found => count(found, decodeHidden(found)));
  // it ends with the text
  return { text: text + open, removed, open: open === '' ? undefined : text.length };
}

/** A text that takes too long to parse, as if it were HTML, except for its blocks of code. */
function showUnparsed(source: string): CleanText {
  let [text, removed] = ['', 0];
  const parts = splitCode(source);
  for (const [i, { part, isCode }] of parts.entries()) {
    const plain = isCode
      ? part.replace(/^([`~]+[ \t]*[^\s`]*)[^\n]*/, '$1')
      : part
          .replace(imageLabel, '![]')
          .replace(title, '$1)')
          .replace(definition, '')
          .replace(wordyDefinition, '');
    removed += part.length - plain.length;
    const shown: ShownMarkup = isCode ? { text: plain, removed: 0 } : showHtml(plain);
    text += shown.text;
    removed += shown.removed;
    if (shown.open === undefined) continue;
    // a browser shows nothing of what follows, code or not
    const open = text.length - shown.text.length + shown.open;
    const rest = parts.slice(i + 1).map(each => each.part);
    return closeMarkup({ text: [text, ...rest].join(''), removed, open });
  }
  return { text, removed };
}

const anyFence = /^[\s>*+\-\d.)]*(?:`{3}|~{3})/;
const ownFence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const beginsHtml = /^[\s>*+\-\d.)]*</;
/** These blocks of HTML go on behind a blank line, so that fences in them are none. */
const rawBlock = /<(?:pre|script|style|textarea)\b/i;

interface TextPart {
  readonly part: string;
  readonly isCode: boolean;
}

/**
 * The fenced blocks that begin in the first column and in no block of HTML, which GitHub cannot read otherwise, and the
 * text between them. Behind a fence elsewhere, all is text.
 */
function splitCode(source: string): readonly TextPart[] {
  if (rawBlock.test(source)) return [{ part: source, isCode: false }];
  const parts: TextPart[] = [];
  let [start, at, mark, inHtml] = [0, 0, '', false];
  const end = (until: number, isCode: boolean) => {
    parts.push({ part: source.slice(start, until), isCode });
    start = until;
  };
  for (const line of source.split('\n')) {
    const next = at + line.length + 1;
    if (mark !== '') {
      const fence = line.replace(/^ {0,3}/, '');
      if (fence.startsWith(mark) && /^[ \t]*$/.test(fence.replaceAll(mark[0] ?? '', ''))) {
        end(Math.min(next, source.length), true);
        mark = '';
        inHtml = false;
      }
    } else if (anyFence.test(line)) {
      const [, ticks, tildes] = ownFence.exec(line) ?? [];
      if ((ticks ?? tildes) === undefined || inHtml) break;
      end(at, false);
      mark = ticks ?? tildes ?? '';
    } else inHtml = !/^[ \t]*$/.test(line) && (inHtml || beginsHtml.test(line));
    at = next;
  }
  end(source.length, false);
  return parts;
}

function closeMarkup({ text, removed, open }: ShownMarkup): CleanText {
  if (open === undefined) return { text, removed };
  const cut = cutOff(text, open);
  return { text: cut.text, removed: removed + cut.removed };
}

function cutOff(text: string, at: number): CleanText {
  const hidden = text.slice(at);
  return { text: text.slice(0, at) + countHidden(hidden), removed: countLetters(hidden) };
}

/** What stands for text that a page does not show up to its end. */
const countHidden = (hidden: string) => `‹${countLetters(hidden)} hidden characters›`;

function showTag(whole: string, name: string, attributes: string): string {
  const kept = [...attributes.matchAll(attribute)].flatMap(([, key = '', ...values]) => {
    const value = values.find(v => v !== undefined) ?? '';
    return keptAttribute.test(key) && /^\S+$/.test(value) ? [` ${key}="${value}"`] : [];
  });
  return `<${name}${kept.join('')}${whole.endsWith('/>') ? '/>' : '>'}`;
}

/** The character of an entity if readers may not see it: the rules for hidden characters then judge it. */
function decodeHidden(reference: string): string {
  const html = micromark(reference.endsWith(';') ? reference : `${reference};`);
  const character = html.replace(/^<p>|<\/p>$/g, '');
  return hiddenCharactersIn(character).length > 0 ? character : reference;
}
