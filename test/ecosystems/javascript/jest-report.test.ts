import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJest } from '../../../src/ecosystems/javascript/jest-report.ts';
import type { ReadReport, TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import { root } from '../../harness.ts';

/** The cases of a valid report. */
function listed(report: ReadReport): readonly TestCase[] {
  if (report === undefined || report === 'too-large') throw new Error(`no cases: ${report}`);
  return report;
}

describe('reports of millions of elements are bounded', () => {
  const many = 3_000_000;
  it('titles of one case are bounded', () => {
    const titles = `["a",${'0,'.repeat(many)}"b"]`;
    const text = `{"testResults":[{"assertionResults":[{"status":"passed","title":"t","ancestorTitles":${titles}}]}]}`;
    expect(parseJest(text)).toEqual([{ id: 'a > t', status: 'passed' }]);
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
    expect(listed(parseJest(json)).map(c => [c.id, c.status])).toEqual([
      ['y/a.test.js > s > t', 'passed'],
      ['y/a.test.js > u', 'failed'],
      ['y/a.test.js > v', 'skipped'],
    ]);
    expect(parseJest('{"testResults": 1}')).toBeUndefined();
    expect(parseJest('[')).toBeUndefined();
  });
});

describe('reports that real tools write', () => {
  it('jest as JSON', () => {
    const text = readFileSync(join(root, 'test/fixtures/reports/jest-30.5.2.json'), 'utf8');
    expect(parseJest(text)).toEqual([
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
