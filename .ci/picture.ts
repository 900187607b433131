/** Makes docs/images: the pull request and the report of the demonstration, in a browser. Usage: `npm run picture`; needs chromium. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { chromium } from 'playwright-core';
import { playDemonstration } from '../src/demo/demonstration.ts';

const { pull, outputs } = await playDemonstration({
  env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
  root: resolve(import.meta.dirname, '..'),
  signal: new AbortController().signal,
  now: Date.now,
  say: () => {},
});

const text = (plain: string) => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

// GitHub shows Markdown with these extensions, and the pull request's own folded parts as HTML
const body = micromark(pull.body ?? '', {
  allowDangerousHtml: true,
  extensions: [gfm()],
  htmlExtensions: [gfmHtml()],
});

const styles = `
  body { margin: 24px 28px; width: 900px; color: #1f2328; background: #fff;
         font: 15px/1.5 system-ui, "Liberation Sans", "DejaVu Sans", sans-serif; }
  h1 { font-size: 26px; font-weight: 500; margin: 0 0 8px; }
  h1 span, .meta { color: #59636e; }
  .state { display: inline-block; background: #1f883d; color: #fff; border-radius: 2em;
           padding: 4px 14px; margin-right: 8px; font-weight: 500; }
  code { background: #eff1f3; border-radius: 6px; padding: 2px 5px;
         font: 13px "Liberation Mono", "DejaVu Sans Mono", monospace; }
  .meta code { background: #ddf4ff; color: #0969da; }
  .box { border: 1px solid #d1d9e0; border-radius: 6px; margin-top: 18px; }
  .by { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0;
        padding: 8px 16px; }
  .text { padding: 6px 16px; }
  .text h2, .text h3 { font-size: 18px; margin: 18px 0 6px; }
  pre { background: #f6f8fa; border-radius: 6px; padding: 12px; overflow: hidden; }
  pre code { background: none; padding: 0; }
  table { border-collapse: collapse; margin: 0 0 16px; } th, td { border: 1px solid #d1d9e0; padding: 5px 12px; }
  a { color: #0969da; } summary { margin: 6px 0; }
  blockquote { border-left: 4px solid #d1d9e0; color: #59636e; margin: 8px 0; padding: 0 14px; }
`;

const page = `<!doctype html><meta charset="utf-8"><style>${styles}</style>
<h1>${text(pull.title)} <span>#${pull.number}</span></h1>
<div class="meta"><span class="state">${pull.draft ? 'Draft' : 'Open'}</span>
<b>github-actions[bot]</b> wants to merge 1 commit into <code>${text(pull.base)}</code>
from <code>${text(pull.head)}</code></div>
<div class="box"><div class="by"><b>github-actions</b> bot commented now</div>
<div class="text">${body}</div></div>`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
await takePicture('pull-request', page, { width: 960, height: 1000 });
await takePicture('report', readFileSync(outputs['report-path'] ?? '', 'utf8'), {
  width: 1280,
  height: 1140,
});
await browser.close();

/** Shows a page in a window, and keeps what can be seen of it. */
async function takePicture(
  name: string,
  html: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<void> {
  const view = await browser.newPage({ viewport });
  await view.setContent(html);
  await view.screenshot({
    path: resolve(import.meta.dirname, '..', 'docs', 'images', `${name}.png`),
  });
}
