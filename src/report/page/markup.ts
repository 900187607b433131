/** HTML in which every value is text until something here has made it markup. */
import { formatCodePoint } from '../../guard/content/hidden-characters.ts';

/** Markup that needs no escaping. Only this file makes it. */
export interface Markup {
  readonly html: string;
}

/** A line of Photon whose code stands in backticks. */
export function codeSpans(line: string): Markup {
  const parts = line.split('`');
  // an odd number of backticks marks nothing
  if (parts.length % 2 === 0) return html`${line}`;
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

type Part = Markup | string | number | readonly Part[] | false | undefined;

/** Markup from a template. Values are escaped, and lists of markup are joined. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let made = texts[0] ?? '';
  for (const [i, part] of parts.entries()) made += render(part) + (texts[i + 1] ?? '');
  return { html: made };
}

/** HTML that a library made of Markdown, without any markup of its source. */
export function trustedHtml(text: string): Markup {
  return { html: text };
}

function render(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(render).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Controls that HTML forbids, and characters that reverse or hide the text around them. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text in which a reader sees every character, also those that an editor hides. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, found => entities[found] ?? '')
    .replace(unseen, found => `‹${formatCodePoint(found)}›`);
}
