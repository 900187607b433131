/** What a browser makes of Markdown, and whether it is inert. */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect } from 'vitest';

export const html = (markdown: string) =>
  micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });

/** Rendered text outside of code. */
export const active = (markdown: string) =>
  html(markdown).replace(/<code[^>]*>[\s\S]*?<\/code>/g, '');

/** Whatever a model or a test wrote: what the reader's browser makes of it is inert. */
export const recordsMark = `<!-- photon:records=20260101000000-abcdef01:${'6'.repeat(64)} -->`;

export function expectInert(markdown: string): void {
  const rendered = active(markdown);
  expect(rendered).not.toMatch(/@\w/);
  expect(rendered.replace(/#5 by|#5\b/g, '')).not.toMatch(/(^|[^&\w])#\d|GH-\d/);
  expect(rendered).not.toMatch(/<(img|script|iframe|a|input|style|svg)\b/i);
  expect(rendered).not.toContain('evil.example');
  // the mark of the task, in a comment that of its end, and in a pull request that of its record changes
  const marks = /<!-- photon:end=VERIFY_FAILED -->/;
  expect(rendered.replace(recordsMark, '').replace(marks, '').match(/<!--/g) ?? []).toHaveLength(1);
  expect(rendered.match(/<details>/g)?.length ?? 0).toBe(
    rendered.match(/<\/details>/g)?.length ?? 0,
  );
  expect(markdown).not.toMatch(/[\u202a-\u202e\u200b]|[\u{e0000}-\u{e007f}]/u);
  expect(markdown.length).toBeLessThan(65_536);
}
