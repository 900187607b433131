/** HTML pages: markup in which every value is text until something here has made it markup, the document, and its style sheet. */
import { createHash } from 'node:crypto';
import { isFailure, isSuccess, type Status } from '../../base/outcome.ts';
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
  if (typeof part === 'string') return escapeText(part);
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
  /[[\p{Cc}--[\t\n]]\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gv;

/** Text in which a reader sees every character, also those that an editor hides. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, found => entities[found] ?? '')
    .replace(unseen, found => `‹${formatCodePoint(found)}›`);
}

/** An address of the web, which a page may link. */
export const webAddress = /^https?:\/\/[\w.:-]+\/[\w./#?=&-]*$/;

/** A link to an address that was checked. */
export function renderLink(href: string, text: string): Markup {
  return html`<a href="${href}" rel="noreferrer">${text}</a>`;
}

/** The class of a text about a run that ended so. */
export const chooseTone = (status: Status) =>
  isSuccess(status) ? 'good' : isFailure(status) ? 'bad' : 'warn';

/** Light and dark, wide and narrow, screen and paper. */
const pageStyle = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1f2328, #e6edf3);
  --quiet: light-dark(#59636e, #9da7b1);
  --page: light-dark(#ffffff, #0d1117);
  --panel: light-dark(#f6f8fa, #161b22);
  --line: light-dark(#d1d9e0, #3d444d);
  --link: light-dark(#0550ae, #6cb6ff);
  --good: light-dark(#116329, #56d364);
  --bad: light-dark(#a40e26, #ff7b72);
  --warn: light-dark(#7d4e00, #e3b341);
  --added: light-dark(#dafbe1, #12341d);
  --removed: light-dark(#ffebe9, #4a1a1d);
  --added-word: light-dark(#aceebb, #1f6f36);
  --removed-word: light-dark(#ffcecb, #8e2f2f);
  --model: light-dark(#0969da, #4493f8);
  --tools: light-dark(#1a7f37, #3fb950);
  --tests: light-dark(#8250df, #ab7df8);
  --refused: light-dark(#cf222e, #f85149);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  color: var(--text); background: var(--page);
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h1 code { font-size: .9em; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre, .diff { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
p code, td code, li code { background: var(--panel); border-radius: 4px; padding: .1em .3em; }
pre { margin: .5rem 0; padding: .7rem .9rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { padding: 0; background: none; }
.status { font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.quiet { color: var(--quiet); }
.notice { margin: .8rem 0; padding: .5rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--warn); border-radius: 6px; }
.next { margin: .8rem 0; padding: .5rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--link); border-radius: 6px; background: var(--panel); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; max-width: 100%; }
th, td { padding: .3rem .6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--panel); font-weight: 600; overflow-wrap: break-word; }
caption { text-align: left; padding: .2rem 0; color: var(--quiet); }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
details { margin: .6rem 0; }
summary { cursor: pointer; padding: .2rem 0; }
td p { margin: 0; }
.counts { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: .5rem 0; padding: 0; list-style: none; }
.runs { width: 100%; } .runs td:first-child { white-space: nowrap; }
.diff { width: 100%; table-layout: fixed; border: 1px solid var(--line); }
.diff th, .diff td { border: 0; padding: 0 .5rem; white-space: pre-wrap; }
.diff thead th { font-family: inherit; padding: .25rem .5rem; }
.diff .n { width: 3.6rem; text-align: right; color: var(--quiet); user-select: none; white-space: nowrap; }
.diff .p { width: 2.2rem; text-align: center; user-select: none; padding: 0; }
.diff .hunk td { color: var(--quiet); background: var(--panel); padding: .15rem .5rem; }
.diff .weak td { background: var(--panel); padding: .2rem .6rem; font-family: system-ui, sans-serif; }
.diff .old.changed { background: var(--removed); } .diff .new.changed { background: var(--added); }
.diff .old b { background: var(--removed-word); font-weight: inherit; }
.diff .new b { background: var(--added-word); font-weight: inherit; }
.diff .none { background: var(--panel); }
.decided { color: var(--good); } .executed, .unknown { color: var(--warn); } .unexecuted { color: var(--bad); }
.lanes { display: grid; grid-template-columns: max-content 1fr; gap: .35rem .8rem; align-items: center; margin: .8rem 0; }
.lanes svg { display: block; width: 100%; height: 1.25rem; background: var(--panel); border: 1px solid var(--line); }
.axis { grid-column: 2; display: flex; justify-content: space-between; color: var(--quiet); font-size: 12px; }
.model { fill: var(--model); } .tools { fill: var(--tools); } .tests { fill: var(--tests); } .refused { fill: var(--refused); }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
footer { margin-top: 3rem; color: var(--quiet); font-size: 13px; }
@media (max-width: 700px) {
  body { padding: 1rem .6rem 3rem; font-size: 14px; }
  .diff, .diff tbody { display: block; } .diff thead { display: none; } .diff colgroup { display: none; }
  .diff tr { display: grid; grid-template-columns: 2.8rem 1.6rem 1fr; }
  .diff td.n, .diff td.p { width: auto; }
  .diff td.old, .diff td.new { grid-column: 3; }
  .diff .hunk td, .diff .weak td { grid-column: 1 / 4; }
  .diff .same .old, .diff .same .n:first-child, .diff .none { display: none; }
  .runs, .runs tbody { display: block; } .runs thead { display: none; }
  .runs tr { display: flex; flex-wrap: wrap; gap: 0 .8rem; padding: .6rem 0; border-top: 1px solid var(--line); }
  .runs td { border: 0; padding: 0; } .runs td:empty { display: none; } .runs td:nth-child(2) { flex-basis: 100%; order: -1; }
  .lanes { grid-template-columns: 1fr; gap: .1rem; } .axis { grid-column: 1; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { list-style: none; }
  tr, .notice, .next { break-inside: avoid; }
  svg, .diff td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** A whole document. Its policy allows its own style sheet, and nothing else. */
export function renderPage(title: string, body: Markup): string {
  const sha = createHash('sha256').update(pageStyle).digest('base64');
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${sha}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Photon: ${title}</title>
<style>${trustedHtml(pageStyle)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return text;
}
