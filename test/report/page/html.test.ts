/** Every value in HTML is text, until it was made markup. */
import { expect, it } from 'vitest';
import { html, trustedHtml } from '../../../src/report/page/html.ts';

it.each([
  ['<b>&"\'', '&lt;b&gt;&amp;&quot;&#39;'],
  ['a\u202eb', 'a‹U+202E›b'],
  ['\ud800', '\ufffd'],
])('%j is shown as %s', (text, shown) => {
  expect(html`<p title="${text}">${text}</p>`.html).toBe(`<p title="${shown}">${shown}</p>`);
});

it('markup stays markup, lists are joined, and nothing is left of what is absent', () => {
  const items = ['<', '>'].map(text => html`<li>${text}</li>`);
  expect(html`${items}${1}${false}${undefined}${trustedHtml('<hr>')}`.html).toBe(
    '<li>&lt;</li><li>&gt;</li>1<hr>',
  );
});
