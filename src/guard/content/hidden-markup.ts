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

/** A link definition that is used as a comment, and the destination by which a parsed one is known. */
const definition =
  /^[ ]{0,3}\[[^\]\n]*\]:[ \t]*(?:#|<>|\/\/)[ \t]*(?:\([^)\n]*\)|"[^"\n]*"|'[^'\n]*')[ \t]*$/gm;
const definitionTarget = /^\[[^\]]*\]:\s*(?:#|<>|\/\/)(?:\s|$)/;

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

const lengthOf = (text: string) => [...text].length;

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
    const isMade = passes === maxPasses;
    const shown = isMade ? cutOff(text, text.search(markup)) : showOnce(text);
    // what GitHub parses has these characters, and they cannot split markup for the model
    const visible = withoutHiddenCharacters(shown.text);
    removed += shown.removed + visible.removed;
    text = visible.text;
    if (text === before || isMade) break;
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
      removed += lengthOf(text.slice(open)) + rest;
      text = text.slice(0, open);
      open = undefined;
      part = part.slice(rest);
    }
    const shown = isHtml ? showHtml(part) : showPart(type, part, images > 0);
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

/** What stays of a part that is no HTML; undefined if the part is shown as it is. */
function showPart(type: string, source: string, inImage: boolean): ShownMarkup | undefined {
  const isHidden =
    unshown.has(type) ||
    (inImage && type === 'labelText') ||
    (type === 'definition' && definitionTarget.test(source));
  if (isHidden) return { text: '', removed: lengthOf(source) };
  if (type !== 'characterReference') return undefined;
  const text = decodeHidden(source);
  return { text, removed: source.length - text.length };
}

function showHtml(source: string): ShownMarkup {
  let [open, removed] = ['', 0];
  const count = (before: string, after: string) => {
    removed += Math.max(0, lengthOf(before) - lengthOf(after));
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

/** A text that takes too long to parse, as if it were HTML. Its code loses markup, too. */
function showUnparsed(source: string): CleanText {
  const plain = source.replace(imageLabel, '![]').replace(title, '$1)').replace(definition, '');
  const shown = showHtml(plain);
  return closeMarkup({ ...shown, removed: shown.removed + source.length - plain.length });
}

function closeMarkup({ text, removed, open }: ShownMarkup): CleanText {
  if (open === undefined) return { text, removed };
  const cut = cutOff(text, open);
  return { text: cut.text, removed: removed + cut.removed };
}

function cutOff(text: string, at: number): CleanText {
  const hidden = text.slice(at);
  return { text: text.slice(0, at) + countHidden(hidden), removed: lengthOf(hidden) };
}

/** What stands for text that a page does not show up to its end. */
const countHidden = (hidden: string) => `‹${lengthOf(hidden)} hidden characters›`;

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
