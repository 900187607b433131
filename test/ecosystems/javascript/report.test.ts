import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../../src/ecosystems/javascript/report.ts';
import type { ReadReport, TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import { discard, makeFolder, root } from '../../harness.ts';
import { playsVariants } from '../../seed.ts';

/** The cases of a valid report. */
function listed(report: ReadReport): readonly TestCase[] {
  if (report === undefined || report === 'too-large') throw new Error(`no cases: ${report}`);
  return report;
}

describe('reports of millions of elements are bounded', () => {
  const many = 1_000_000;
  it('titles of one case are bounded', () => {
    const titles = `["a",${'0,'.repeat(many)}"b"]`;
    const text = `{"testResults":[{"assertionResults":[{"status":"passed","title":"t","ancestorTitles":${titles}}]}]}`;
    expect(readReport(text)).toEqual([{ id: 'a > t', status: 'passed' }]);
  });
});

describe('reports are hostile input', () => {
  it('the JSON of jest and vitest gives its cases', () => {
    const json = JSON.stringify({
      testResults: [
        {
          name: '/x/y/a.test.js',
          assertionResults: [
            { ancestorTitles: ['s'], title: 't', status: 'passed' },
            { fullName: 'u', status: 'failed' },
            { title: 'v', status: 'pending' },
          ],
        },
      ],
    });
    expect(listed(readReport(json)).map(c => [c.id, c.status])).toEqual([
      ['y/a.test.js > s > t', 'passed'],
      ['y/a.test.js > u', 'failed'],
      ['y/a.test.js > v', 'skipped'],
    ]);
    expect(readReport('{"testResults": 1}')).toBeUndefined();
    expect(readReport('[')).toBeUndefined();
  });
});

describe('reports that real tools write', () => {
  it('jest as JSON', () => {
    const text = readFileSync(join(root, 'test/fixtures/reports/jest-30.5.2.json'), 'utf8');
    expect(readReport(text)).toEqual([
      {
        id: 'test/price.test.js > total > is the sum',
        file: '/project/test/price.test.js',
        status: 'failed',
        message: expect.stringContaining('/project/test/price.test.js:4:'),
      },
      {
        id: 'test/price.test.js > total > of none',
        file: '/project/test/price.test.js',
        status: 'passed',
      },
      { id: 'test/price.test.js > free', file: '/project/test/price.test.js', status: 'passed' },
    ]);
  });
});

it.runIf(playsVariants)(
  'the report of vitest gives the file that does not load, and the suite whose hook failed',
  () => {
    const folder = makeFolder();
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const imports = "import { afterAll, beforeAll, describe, expect, it } from 'vitest';";
      const hook = (name: string) => `${name}(() => { throw new Error('no server'); });`;
      const files = {
        'after.test.js': `describe('a suite', () => { ${hook('afterAll')} it('works', () => {}); });`,
        'before.test.js': `${hook('beforeAll')} it('waits', () => {});`,
        'breaks.test.js': "it('breaks', () => expect(1).toBe(2));",
        'load.test.js': "throw new Error('not ready');",
      };
      for (const [path, text] of Object.entries(files))
        writeFileSync(join(folder, path), `${imports}\n${text}\n`);
      const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
      const args = [vitest, 'run', '--reporter=json', '--outputFile=out.json'];
      spawnSync(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH } });
      const cases = listed(readReport(readFileSync(join(folder, 'out.json'), 'utf8')));
      const shown = cases.map(c => `${c.status} ${c.id.replace(/^[^/]*\//, '')}`).toSorted();
      expect(shown).toEqual([
        'failed after.test.js',
        'failed before.test.js',
        'failed breaks.test.js > breaks',
        'failed load.test.js',
        'passed after.test.js > a suite > works',
        'skipped before.test.js > waits',
      ]);
      expect(cases.find(c => c.id.endsWith('load.test.js'))?.message).toContain('not ready');
    } finally {
      discard(folder);
    }
  },
);

it('a report of jest that says of no case why it failed is no success', () => {
  const passed = { fullName: 'works', status: 'passed' };
  const file = { name: '/x/a.test.js', status: 'passed', assertionResults: [passed] };
  const failed = { name: '/x/b.test.js', status: 'failed', assertionResults: [], message: 'why' };
  const read = (report: object) =>
    listed(readReport(JSON.stringify(report))).map(c => `${c.status} ${c.id}`);
  expect(read({ success: false, testResults: [file, failed] })).toEqual([
    'passed x/a.test.js > works',
    'failed x/b.test.js',
  ]);
  expect(read({ success: false, numFailedTestSuites: 1, testResults: [file] })).toEqual([
    'passed x/a.test.js > works',
    'failed a file or suite, which the report does not name',
  ]);
  // a threshold of coverage, or a run without tests
  expect(read({ success: false, numFailedTestSuites: 0, testResults: [file] })).toHaveLength(1);
});
