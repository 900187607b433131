import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/base/outcome.ts';
import { readTimeline } from '../../../src/ledger/timeline.ts';
import { renderIndexPage } from '../../../src/report/page/index-page.ts';
import { renderRunPage } from '../../../src/report/page/run-page.ts';
import { runAccount } from '../../../src/report/terminal/run-text.ts';
import { isAll } from '../../seed.ts';
import { evil, untrusted } from '../hostile.ts';
import { diffOf, hostileRun, ledgerLine, ledgerOf, verifiedRun } from '../pages.ts';

const tags = new Set(
  'html head meta title style body main h1 h2 h3 p span strong em b code pre ul ol li a div table caption colgroup col thead tbody tr th td details summary svg rect footer blockquote hr br'.split(
    ' ',
  ),
);

const attributes = new Set(
  'lang charset http-equiv content name class id title href rel scope colspan tabindex role aria-label aria-hidden viewBox preserveAspectRatio x y width height align start'.split(
    ' ',
  ),
);

/** The markup is only what Photon writes, and nothing in it loads or runs anything. */
function expectInert(page: string): void {
  const markup = page
    .replace(/^<!doctype html>/, '')
    .replace(/<style>[\s\S]*?<\/style>/, '<style></style>');
  for (const [, tag = '', inside = ''] of markup.matchAll(/<\/?([^\s>/]*)([^>]*)>/g)) {
    expect(tags).toContain(tag);
    const named = [...inside.matchAll(/([^\s=/]+)="[^"]*"/g)].map(found => found[1]);
    for (const name of named) expect(attributes).toContain(name);
    expect(
      inside
        .replace(/[^\s=/]+="[^"]*"/g, '')
        .replaceAll('/', '')
        .trim(),
    ).toBe(tag === 'details' && inside === ' open' ? 'open' : '');
  }
  expect(markup.replace(/<\/?[^<>]*>/g, '')).not.toMatch(/[<>]/);
  for (const [, address] of markup.matchAll(/ (?:href|src)="([^"]*)"/g))
    expect(address).toMatch(/^https?:\/\/github\.example\//);
  expect(markup).not.toMatch(/[\u202a-\u202e\u200b]|[\u{e0000}-\u{e007f}]/u);
}

describe('the report of a run', () => {
  it.each(evil.map(e => [e.slice(0, 40), e]))(
    'is inert with %j in every place',
    async (_name, input) => {
      for (const status of ['failed', 'answered', 'needs_clarification'] as const)
        expectInert(await renderRunPage(hostileRun(input, status)));
      const { outcome } = hostileRun(input);
      expectInert(renderIndexPage(input, [{ outcome, href: input }]));
    },
  );

  it('is inert with generated texts', async () => {
    await fc.assert(
      fc.asyncProperty(untrusted, async input => {
        expectInert(await renderRunPage(hostileRun(input)));
      }),
      { numRuns: isAll ? 300 : 20 },
    );
  });

  it('is headed by the repair, with what was asked below it', () => {
    const { outcome, ...rest } = verifiedRun();
    const asked = { ...outcome, task: { ...outcome.task, text: 'Repair the failing test.' } };
    const page = renderRunPage({ ...rest, outcome: asked });
    expect(page).toContain(
      '<h1>Change <code>10</code> to <code>100</code> in <code>orderTotal</code></h1>',
    );
    expect(page).toContain('Asked: Repair the failing test.');
    expect(page).toContain('<title>Photon: Change 10 to 100 in orderTotal</title>');
  });

  it('shows the output of tests that fail with the patch at once', () => {
    const { outcome, ...rest } = verifiedRun();
    const { verification } = outcome;
    if (verification === null) throw new Error('the run has no verification');
    const page = (passed: boolean) =>
      renderRunPage({
        ...rest,
        outcome: { ...outcome, verification: { ...verification, passed } },
      });
    expect(page(true)).not.toContain('<details open><summary>with the patch:');
    expect(page(false)).toContain('<details open><summary>with the patch:');
    const isFirst = (text: string) => text.indexOf('id="output"') < text.indexOf('id="course"');
    expect([true, false].map(passed => isFirst(page(passed)))).toEqual([false, true]);
  });

  it('counts runs by ending, and those that did not succeed by their cause', () => {
    const { outcome } = verifiedRun();
    const failed = (code: Outcome['code']) => ({ ...outcome, status: 'failed' as const, code });
    const runs = [outcome, outcome, failed('DISK'), failed('DISK'), failed('API_KEY_MISSING')];
    const page = renderIndexPage(
      'Runs',
      runs.map(each => ({ outcome: each, href: '' })),
    );
    expect(page.match(/<ul class="counts">.*<\/ul>/)?.[0].replace(/<[^>]*>/g, '')).toBe(
      '2 written2 failed DISK1 failed API_KEY_MISSING',
    );
  });

  it('names a verification that failed, and counts only what a rule refused as refused', () => {
    const { outcome, ...rest } = verifiedRun();
    const states = { verification: { passed: false, code: 'VERIFY_FAILED' } };
    const call = { call: {}, paths: ['a.js'] };
    const ledger = [
      ledgerLine(1, 10, { tool: 'model.turn' }),
      ledgerLine(2, 20, { ...call, tool: 'verify', states }),
      ledgerLine(3, 30, { ...call, tool: 'grep', decision: 'degrade', code: 'TOOL_FAILED' }),
    ].join('');
    const page = renderRunPage({ ...rest, outcome, ledger });
    expect(page).toMatch(/<code>verify<\/code> a\.js <span class="bad">VERIFY_FAILED</);
    expect(page).toMatch(/<code>grep<\/code> a\.js <span class="bad">TOOL_FAILED</);
    expect(page).not.toContain('aria-label="refused:');
    expect(runAccount(outcome, ledger)).toContain('  2 verify a.js: VERIFY_FAILED\n');
  });

  it('has a bar for the model only if one ran', () => {
    const { outcome, ...rest } = verifiedRun();
    const page = (engine: 'openai' | 'builtin') =>
      renderRunPage({ ...rest, outcome: { ...outcome, engine } });
    expect(page('openai')).toContain('aria-label="model: 14 times, 0.7 s"');
    expect(page('builtin')).not.toContain('aria-label="model:');
    expect(page('builtin')).toContain('aria-label="search:');
  });

  it('links only addresses of the web', async () => {
    const { outcome, ...rest } = hostileRun('x', 'committed');
    const withUrls = (url: string) => {
      const delivered = { ...outcome.delivered, pullRequestNumber: 7, pullRequestUrl: url };
      return renderRunPage({ ...rest, outcome: { ...outcome, page: url, delivered } });
    };
    const good = await withUrls('https://github.example/o/r/pull/7');
    expect(good).toContain('<a href="https://github.example/o/r/pull/7" rel="noreferrer">');
    expectInert(good);
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', '//x', 'https://x/" onclick="'])
      expect(await withUrls(bad)).not.toContain('<a ');
  });

  it('stays small after 10,000 rounds and with a diff of 5 MB', async () => {
    const { outcome } = verifiedRun();
    const diff = diffOf('a line of a generated file that is long enough', 50_000);
    expect(diff.length).toBeGreaterThan(5_000_000);
    const page = await renderRunPage({ outcome, diff, ledger: ledgerOf(10_000, 'src/a.js') });
    expect(page.length).toBeLessThan(2_000_000);
    expect(page).toContain('9800 rounds are left out here');
    expect(page).toContain('All of it is in <code>patch.diff</code>');
    expect(page).toContain('800 more are in the ledger');
  });

  it('shows what can be read of a damaged ledger', async () => {
    const { outcome, diff } = verifiedRun();
    const ledger = `{"seq":1\n[]\nnull\n{"tool":3}\n${ledgerLine(5, 50, { tool: 'model.turn', facts: { inputTokens: 'many' } })}`;
    expect(readTimeline(ledger, 0).unreadable).toBe(4);
    const page = await renderRunPage({ outcome, diff, ledger });
    expect(page).toContain('4 lines of the ledger cannot be read');
    expect(page).toContain('1 round');
  });
});
