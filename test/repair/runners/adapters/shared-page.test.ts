/** The page of jsdom or happy-dom under vitest: each candidate finds it as the first one did. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coldFurther } from '../../../../src/repair/runners/cold.ts';
import { linkPackages } from '../../../doubles/installed.ts';
import { type LocalCheckout, withAdapter } from '../../../doubles/runner-context.ts';
import { needs } from '../../../programs.ts';
import { root } from '../../../root.ts';
import { isAll } from '../../../seed.ts';

const source = [
  'export function show(words) {',
  '  for (const word of words.slice(1)) {',
  "    const item = document.createElement('li');",
  '    item.textContent = word;',
  '    document.body.append(item);',
  '  }',
  '}',
  '',
].join('\n');
const right = source.replace('.slice(1)', '');
/** What a candidate may leave on the page, as code that runs while it is loaded. */
const left = {
  'an element': "document.body.append(document.createElement('p'));",
  'a style': "document.head.append(document.createElement('style'));",
  'a title': "document.title = 'changed';",
  'an attribute': "document.documentElement.className = 'dark';",
  'an attribute of the body': "document.body.setAttribute('data-open', '');",
  'stored data': "localStorage.setItem('a', '1'); sessionStorage.setItem('b', '1');",
  'a cookie': "document.cookie = 'a=1';",
  'an address': "history.pushState(null, '', '/other?a=1');",
  'a listener of the window': "addEventListener('ping', () => document.body.append('heard'));",
  'a listener of the document':
    "document.addEventListener('pong', () => document.body.append('heard'));",
};

const test = [
  "import { screen } from '@testing-library/dom';",
  "import { expect, it } from 'vitest';",
  "import { show } from '../src/list.js';",
  "it('finds a new page', () => {",
  "  dispatchEvent(new Event('ping'));",
  "  document.dispatchEvent(new Event('pong'));",
  '  const { body, cookie, documentElement, head, title } = document;',
  '  const page = [body.outerHTML, head.innerHTML, title, cookie, documentElement.className];',
  "  expect(page).toEqual(['<body></body>', '', '', '', '']);",
  '  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);',
  "  expect(location.href).not.toContain('other');",
  '});',
  "it('shows two', () => {",
  "  show(['a', 'b']);",
  // it keeps the body of the page in which it was loaded
  "  expect(screen.getByText('a').tagName).toBe('LI');",
  '});',
  "it('shows none', () => show([]));",
  '',
].join('\n');

const checkoutOf = (environment: string): LocalCheckout => ({
  testCommand: 'vitest run',
  files: {
    'package.json': '{"type":"module"}',
    'vitest.config.js': `export default { test: { environment: '${environment}', environmentOptions: { happyDOM: { url: 'http://localhost:3000' } } } };`,
    'src/list.js': source,
    'test/list.test.js': test,
  },
  cloned: linkPackages(join(root, 'test', 'runners')),
});

for (const environment of ['jsdom', 'happy-dom']) {
  const isHere = isAll && existsSync(join(root, 'test', 'runners', 'node_modules', environment));
  describe.runIf(isHere)(`${environment} ${isAll ? needs('jest') : ''}`, () => {
    it('is a new page for each candidate', async () => {
      await withAdapter(checkoutOf(environment), async adapter => {
        expect(adapter.base.map(c => c.status)).toEqual(['passed', 'failed', 'passed']);
        // a worker for each test file
        expect(adapter.further).toBe(coldFurther);
        const runner = await adapter.open();
        const play = async (text: string) => {
          const { cases, ended } = await runner.run({
            files: { 'src/list.js': text },
            stages: [{ tests: ['test/list.test.js'], only: null }],
            bail: false,
            coverage: false,
          });
          return [ended, ...cases.map(c => c.status)];
        };
        const passes = ['done', 'passed', 'passed', 'passed'];
        for (const [what, code] of Object.entries(left)) {
          expect([what, (await play(`${code}\n${right}`))[1]]).toEqual([what, 'failed']);
          expect([what, ...(await play(right))]).toEqual([what, ...passes]);
        }
        runner.close();
      });
    }, 120_000);

    it('may be that of one file, whose comment asks for it', async () => {
      const { files, ...checkout } = checkoutOf('node');
      const own = {
        ...files,
        'test/list.test.js': `// @vitest-environment ${environment}\n${test}`,
        'test/none.test.js': [
          "import { expect, it } from 'vitest';",
          "import '../src/list.js';",
          "it('has no page', () => expect(typeof document).toBe('undefined'));",
          '',
        ].join('\n'),
      };
      await withAdapter({ ...checkout, files: own }, async adapter => {
        expect(adapter.further).toBe(coldFurther);
        const runner = await adapter.open();
        const stages = [{ tests: ['test/list.test.js', 'test/none.test.js'], only: null }];
        const files = { 'src/list.js': right };
        const { cases } = await runner.run({ files, stages, bail: false, coverage: false });
        expect(cases.map(c => c.status)).toEqual(Array(4).fill('passed'));
        runner.close();
      });
    }, 120_000);
  });
}
