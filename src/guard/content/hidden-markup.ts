/** Removes what GitHub's rendering of Markdown does not show: attributes, alternative texts, titles, hidden entities. */
import { isDeepStrictEqual } from 'node:util';
import { micromark } from 'micromark';
import { readMarkdown } from '../../base/markdown.ts';
import { isShallow, parseJson } from '../../base/schema-issue.ts';
import { redactTexts } from '../secrets/secrets.ts';
import { hiddenCharactersIn } from './hidden-characters.ts';
import { type CleanText, removeHiddenText } from './hidden-text.ts';

/** What can hold unshown text: a tag, an image, a title, an entity, or words behind the language of a fence. */
const candidate = /<[a-z]|!\[|\][(:]|&[#a-z]|`{3}|~{3}/i;

/** Parts of Markdown that a page does not show; the text of a label is one inside an image. */
const unshown: ReadonlySet<string> = new Set([
  'resourceTitle',
  'definitionTitle',
  'codeFencedFenceMeta',
]);

/** A tag up to its end, as a browser reads it: its name and its attributes. */
const tag =
  /<([a-z][^\s/>]*)((?:[\s/=]+|[^\s/>=]+(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>"'][^\s>]*)?)?)*)(?:>|$)/gi;
const attribute = /([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>"'][^\s>]*))?)?/g;
const entity = /&(?:#\d{1,7};?|#x[\da-f]{1,6};?|[a-z][a-z\d]{1,31};)/gi;

/** A tag as CommonMark defines it, and the parts of a text in which none begins or micromark found it. */
const commonTag =
  /<[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/gi;
const settled: ReadonlySet<string> = new Set(
  'autolink characterEscape codeFenced codeIndented codeText htmlFlow htmlText'.split(' '),
);

/** Attributes that stay: where an image is, and where a link leads. Nobody writes a sentence without a space. */
const keptAttribute = /^(?:src|href)$/i;

/** Alternative texts and titles, where Markdown is not parsed. */
const imageLabel = /!\[[^\]]{0,1000}\]/g;
const title =
  /(\]\([^\s)]{0,2000})\s{1,100}(?:"[^"]{0,1000}"|'[^']{0,1000}'|\([^()]{0,1000}\))\s{0,100}\)/g;

/**
 * A text that people write on GitHub, as a reader of the page sees it. Code keeps what it says, except in a text that
 * takes too long to parse. Then hidden text goes, as from every source.
 */
export function removeUnshownText(raw: string): CleanText {
  if (!candidate.test(raw)) return removeHiddenText(raw);
  const source = raw.replace(/^\ufeff/, '');
  const shown =
    showParsed(source) ?? showMarkup(source.replace(imageLabel, '![]').replace(title, '$1)'));
  const clean = removeHiddenText(shown);
  return { text: clean.text, removed: Math.max(0, raw.length - shown.length) + clean.removed };
}

/** The same of a program's reply. JSON can hold pages of people, such as issues: each of its texts is cleaned by itself. */
export function removeUnshownFromReply(raw: string): string {
  const clean = (text: string) => removeUnshownText(text).text;
  const data = parseJson(raw);
  if (!isShallow(data)) return clean(raw);
  const shown = redactTexts(data, clean);
  return isDeepStrictEqual(shown, data) ? clean(raw) : JSON.stringify(shown, null, 2);
}

function showParsed(source: string): string | undefined {
  const events = readMarkdown(source);
  if (events === undefined) return undefined;
  let text = '';
  let [end, images] = [0, 0];
  const tags = new Set([...source.matchAll(commonTag)].map(found => found.index));
  for (const [kind, { type, start, end: until }] of events) {
    if (type === 'image') images += kind === 'enter' ? 1 : -1;
    if (kind === 'exit' || start.offset < end) continue;
    if (settled.has(type))
      for (const at of tags) if (at >= start.offset && at < until.offset) tags.delete(at);
    const shown = showPart(type, source.slice(start.offset, until.offset), images > 0);
    if (shown === undefined) continue;
    text += source.slice(end, start.offset) + shown;
    end = until.offset;
  }
  // micromark takes an unquoted value with a slash for text, and what follows it for code
  return tags.size > 0 ? undefined : text + source.slice(end);
}

/** What stays of a part; undefined if the part is shown as it is. */
function showPart(type: string, source: string, inImage: boolean): string | undefined {
  if (unshown.has(type) || (inImage && type === 'labelText')) return '';
  if (type === 'characterReference') return decodeHidden(source);
  if (type !== 'htmlFlow' && type !== 'htmlText') return undefined;
  return showMarkup(source);
}

function showMarkup(html: string): string {
  return html.replace(tag, showTag).replace(entity, decodeHidden);
}

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
