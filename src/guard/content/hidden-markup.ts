/** Removes what GitHub's rendering of Markdown does not show: comments, attributes, alternative texts, titles, hidden entities. */
import { micromark } from 'micromark';
import { readMarkdown } from '../../base/markdown.ts';
import { hiddenCharactersIn, withoutHiddenCharacters } from './hidden-characters.ts';
import {
  commonTag,
  entity,
  findFootnotes,
  findMarkup,
  isRemark,
  type Piece,
} from './long-markup.ts';

/** A text that a reader sees whole. */
export interface CleanText {
  readonly text: string;
  /** Hidden characters and hidden pieces of markup that were removed or made visible. */
  readonly removed: number;
}

/** What can hold unshown text: a tag, a comment, an image, a title, an entity, or words behind the language of a fence. */
const candidate = /<[a-z!?/]|!\[|\][(:]|&[#a-z]|`{3}|~{3}|\|/i;

/** Parts of Markdown that a page does not show; the text of a label is one inside an image. */
const unshown: ReadonlySet<string> = new Set([
  'resourceTitle',
  'definitionTitle',
  'codeFencedFenceMeta',
]);

const wordless: ReadonlySet<string> = new Set([
  'definitionDestinationString',
  'referenceString',
  'resourceDestinationString',
]);
const isMarkup: ReadonlySet<string> = new Set(['characterReference', 'htmlFlow', 'htmlText']);

/** What a browser reads as markup, up to its end: a comment, a declaration, or a tag with its attributes. */
const markup =
  /<!--[\s\S]*?--!?>|<\?[\s\S]*?\?>|(?<open><!--[\s\S]*)|(?<cut><\?[\s\S]*)|<![^>]*(?:>|$)|<\/(?![a-z])[^>]+(?:>|$)|<(?<name>\/?[a-z][^\s/>]*)(?<attributes>(?:[\s/=]+|[^\s/>=]+(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>"'][^\s>]*)?)?)*)(?:>|$)/gi;
const attribute = /([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>"'][^\s>]*))?)?/g;

const commentEnd = /--!?>/;

/** A link definition, and whether it is used as a comment. */
const parsedDefinition = /^\[(?<label>(?:\\.|[^\]\\])*)\]:\s*(?<comments>(?:#|<>|\/\/)(?:\s|$))?/;

/** A comment as CommonMark defines them, and the parts of a text in which none begins or micromark found it. */
const commonComment = /<!--[\s\S]*?-->/g;
const settled: ReadonlySet<string> = new Set(
  'autolink characterEscape codeFenced codeIndented codeText definition htmlFlow htmlText reference resource'.split(
    ' ',
  ),
);
/** In these, a tag can begin and end. */
const inlineParents: ReadonlySet<string> = new Set([
  'paragraph',
  'atxHeadingText',
  'setextHeadingText',
  'tableContent',
]);

/** Attributes that stay: where an image is, and where a link leads. Nobody writes a sentence without a space. */
const keptAttribute = /^(?:src|href)$/i;

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
  return showPieces(source, parsedPieces(source) ?? findMarkup(source));
}

/** The parts of a text that a page does not show as they are written; undefined where micromark may read it otherwise. */
function parsedPieces(source: string): readonly Piece[] | undefined {
  const events = readMarkdown(source);
  if (events === undefined) return undefined;
  const tags = new Map(
    [commonTag, commonComment]
      .flatMap(pattern => [...source.matchAll(pattern)])
      .map(found => [found.index, found.index + found[0].length]),
  );
  const unsettled = new Set<number>();
  const found: Piece[] = [];
  const footnotes = findFootnotes(source);
  let [images, columns, column, isDiagram] = [0, 0, 0, false];
  for (const [kind, { type, start, end, ...rest }] of events) {
    if (type === 'image') images += kind === 'enter' ? 1 : -1;
    if (kind === 'exit') continue;
    const piece = { type, start: start.offset, end: end.offset };
    const part = source.slice(piece.start, piece.end);
    const within = (at: number) => at >= piece.start && at < piece.end;
    if (inlineParents.has(type))
      for (const [at, until] of tags) if (within(at) && until <= piece.end) unsettled.add(at);
    if (settled.has(type)) for (const at of unsettled) if (within(at)) unsettled.delete(at);
    if (type === 'paragraph' || type === 'definition')
      found.push(...footnotes.filter(note => within(note.start)));
    if (type === 'table') columns = rest._align?.length ?? 0;
    if (type === 'tableRow') column = 0;
    if (type === 'tableData') column++;
    if (type === 'codeFenced') isDiagram = false;
    if (type === 'codeFencedFenceInfo') isDiagram = /^mermaid$/i.test(part);
    const isHidden =
      (type === 'tableData' && column > columns) ||
      (type === 'codeFlowValue' && isDiagram && isRemark.test(part)) ||
      isUnshown({ type, inImage: images > 0, whole: source }, part);
    if (isHidden || isMarkup.has(type)) found.push({ ...piece, isHidden });
  }
  // micromark takes an unquoted value with a slash for text, and what follows it for code
  return unsettled.size > 0 ? undefined : found;
}

/** A text as its page shows it: without hidden pieces, and with what a browser makes of the others. */
function showPieces(source: string, pieces: readonly Piece[]): CleanText {
  let text = '';
  let [end, removed, isAside] = [0, 0, false];
  // where a comment began that is still open: a browser shows nothing up to its end
  let open: number | undefined;
  for (const piece of pieces.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (piece.end <= end) continue;
    const start = Math.max(piece.start, end);
    const inner = showPieces(source.slice(start, piece.end), piece.inner ?? []);
    let part = inner.text;
    removed += inner.removed;
    const before = source.slice(end, start);
    if (isAside) removed += countLetters(before);
    else text += before;
    end = start;
    const isHtml = piece.type === 'htmlFlow' || piece.type === 'htmlText';
    if (open !== undefined && isHtml) {
      const closed = commentEnd.exec(part);
      if (closed === null) continue;
      const rest = closed.index + closed[0].length;
      removed += countLetters(text.slice(open)) + rest;
      text = text.slice(0, open);
      open = undefined;
      part = part.slice(rest);
    }
    const shown = showPiece(piece, part);
    open ??= shown.open === undefined ? undefined : text.length + shown.open;
    text += shown.text;
    removed += shown.removed;
    end = piece.end;
    if (isHtml) isAside = /<rp>$/i.test(shown.text);
  }
  return closeMarkup({ text: text + source.slice(end), removed, open });
}

function showPiece({ type, isHidden }: Piece, part: string): ShownMarkup {
  if (isHidden) return { text: '', removed: countLetters(part) };
  if (type !== 'characterReference') return showHtml(part);
  const text = decodeHidden(part);
  return { text, removed: part.length - text.length };
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

/** True for a part that no page shows. */
function isUnshown({ type, inImage, whole }: PartOfText, source: string): boolean {
  return (
    unshown.has(type) ||
    (inImage && type === 'labelText') ||
    // a label and a destination are no place for words, unless the page shows them
    (wordless.has(type) && /\s/.test(source)) ||
    (type === 'definition' && !isUsed(source, whole))
  );
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
  // browsers that know ruby do not show these
  const seen = bare.replace(/(<rp>)[^<]+(?=<)/gi, (whole, tag: string) => count(whole, tag));
  const text = seen.replace(entity, found => count(found, decodeHidden(found)));
  // it ends with the text
  return { text: text + open, removed, open: open === '' ? undefined : text.length };
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
  const kept = (name.startsWith('/') ? [] : [...attributes.matchAll(attribute)]).flatMap(
    ([, key = '', ...values]) => {
      const value = values.find(v => v !== undefined) ?? '';
      return keptAttribute.test(key) && /^\S+$/.test(value) ? [` ${key}="${value}"`] : [];
    },
  );
  return `<${name}${kept.join('')}${whole.endsWith('/>') ? '/>' : '>'}`;
}

/** The character of an entity if readers may not see it: the rules for hidden characters then judge it. */
function decodeHidden(reference: string): string {
  const html = micromark(reference.endsWith(';') ? reference : `${reference};`);
  const character = html.replace(/^<p>|<\/p>$/g, '');
  return hiddenCharactersIn(character).length > 0 ? character : reference;
}
