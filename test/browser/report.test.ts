/** The pages in a real browser: what a reader sees, hears and can reach with the keyboard. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderIndexPage } from '../../src/report/page/index-page.ts';
import { renderRunPage } from '../../src/report/page/run-page.ts';
import { findProgram } from '../../src/sandbox/probe/machine.ts';
import { has, needs } from '../programs.ts';
import { evil } from '../report/hostile.ts';
import { hostileRun, verifiedRun } from '../report/pages.ts';
import { sample } from '../seed.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const folder = mkdtempSync(join(tmpdir(), 'photon-pages-'));
const attack = evil.slice(0, -1).join(' ');

const pages: Readonly<Record<string, () => string>> = {
  verified: () => renderRunPage(verifiedRun()),
  hostile: () => renderRunPage(hostileRun(attack)),
  clarification: () => renderRunPage(hostileRun(attack, 'needs_clarification')),
  index: () =>
    renderIndexPage('Runs', [
      { outcome: verifiedRun().outcome, href: 'https://github.example/a' },
      { outcome: hostileRun(attack).outcome, href: 'javascript:alert(1)' },
    ]),
};

describe.runIf(has('chromium'))(`the pages in a browser ${needs('chromium')}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    const env = { PATH: process.env.PATH ?? '' };
    const executablePath = findProgram('chromium', { env, workspacePath: '/nonexistent' }) ?? '';
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    for (const [name, render] of Object.entries(pages))
      writeFileSync(join(folder, `${name}.html`), await render());
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page. Its requests and messages are kept, except for the one that loads it. */
  async function open(name: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    const page = await context.newPage();
    const events: string[] = [];
    page.on('request', request => events.push(request.url()));
    page.on('console', message => events.push(message.text()));
    page.on('dialog', dialog => events.push(dialog.message()));
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    return { page, events: () => events.slice(1) };
  }

  describe.each(sample('pages', Object.keys(pages), 1))('%s', name => {
    it.each(['light', 'dark'] as const)('has no barrier that axe finds, %s', async colorScheme => {
      const { page } = await open(name, { colorScheme, bypassCSP: true });
      await page.addScriptTag({ path: axe });
      const found = await page.evaluate<readonly string[]>(
        `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })
          .then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html.slice(0, 200))))`,
      );
      expect(found).toEqual([]);
      await page.context().close();
    });

    it('asks for nothing, runs nothing, and fits a phone without scripts', async () => {
      const { page, events } = await open(name, {
        viewport: { width: 390, height: 800 },
        javaScriptEnabled: false,
      });
      expect(events()).toEqual([]);
      expect(await page.locator('h1').textContent()).not.toBe('');
      const box = await page.locator('main').boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
      expect(await overflowing(page)).toEqual([]);
      await page.context().close();
    });
  });

  it('shows a changed line on a phone straight below the one that it replaces', async () => {
    const { page } = await open('verified', { viewport: { width: 390, height: 800 } });
    const edge = async (cell: string) => (await page.locator(cell).first().boundingBox())?.x;
    expect(await edge('.new.changed')).toBe(await edge('.old.changed'));
    await page.context().close();
  });

  it('shows on the first screen whether to trust the patch and how to take it', async () => {
    const { page } = await open('verified');
    for (const text of ['Change 10 to 100 in orderTotal', '13 passed, 1 failed', 'photon apply'])
      expect(await bottomOf(page, text)).toBeLessThan(800);
    expect(await bottomOf(page, 'photon apply')).toBeLessThan(
      (await page.locator('.diff').first().boundingBox())?.y ?? 0,
    );
    await page.context().close();
  });

  it('opens what is folded with the keyboard, and prints it open', async () => {
    const { page } = await open('verified');
    const rounds = page.locator('details', { hasText: 'All 14 rounds' });
    const table = rounds.locator('table');
    expect(await table.isVisible()).toBe(false);
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    for (let i = 0; i < 30 && !(await focused()).startsWith('All 14'); i++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await table.isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await table.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect((await table.boundingBox())?.height ?? 0).toBeGreaterThan(100);
    await page.context().close();
  });

  it('leads from the index to addresses of the web, and nowhere else', async () => {
    const { page } = await open('index');
    const targets = await page
      .locator('a')
      .evaluateAll(all => all.map(a => a.getAttribute('href')));
    expect(targets).toEqual(['https://github.example/a']);
    await page.context().close();
  });
});

/** Elements that reach beyond the right edge, outside of regions that scroll. */
async function overflowing(page: Page): Promise<readonly string[]> {
  const wide: string[] = [];
  for (const element of await page.locator('main > *:not(.wide), .diff td, .runs td').all()) {
    const box = await element.boundingBox();
    if (box !== null && box.x + box.width > 391) wide.push((await element.textContent()) ?? '');
  }
  return wide;
}

async function bottomOf(page: Page, text: string): Promise<number> {
  const box = await page.getByText(text).first().boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
}
