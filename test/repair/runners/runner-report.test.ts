/** Parses recorded reports of real runners; the file names hold their versions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFailure, parseRunnerReport } from '../../../src/repair/runners/runner-report.ts';
import { root } from '../../harness.ts';

const recorded = (name: string) =>
  readFileSync(join(root, 'test', 'fixtures', 'reports', name), 'utf8');

describe('the JSON reports of runners', () => {
  it('of jest: cases by file and name, and the place of the failure', () => {
    const cases = parseRunnerReport(recorded('jest-30.5.2.json'), '/project');
    expect(cases.map(c => [c.status, c.id])).toEqual([
      ['failed', 'test/price.test.js > total is the sum'],
      ['passed', 'test/price.test.js > total of none'],
      ['passed', 'test/price.test.js > free'],
    ]);
    expect(cases[0]?.file).toBe('test/price.test.js');
    expect(cases[0]?.message).toContain('Expected: 3');
    // lines of the runner itself are left out
    expect(cases[0]?.frames).toEqual([{ path: 'test/price.test.js', line: 4 }]);
  });

  it('of mocha: a failed hook counts as a failure of its file', () => {
    const cases = parseRunnerReport(recorded('mocha-12.0.3.json'), '/project');
    expect(cases.map(c => [c.status, c.id])).toEqual([
      ['passed', 'test/price.test.js > free'],
      ['failed', 'test/price.test.js > total is the sum'],
      ['passed', 'test/price.test.js > total of none'],
      ['failed', 'test/loop.test.js'],
    ]);
    expect(cases[3]?.message).toContain('no database');
  });

  it('distinguish cases with the same name, and report a file that did not load', () => {
    const reportOf = (assertionResults: object[], more: object = {}) =>
      JSON.stringify({ testResults: [{ name: '/p/a.test.js', assertionResults, ...more }] });
    const twice = [
      { fullName: 'x', status: 'failed', failureMessages: ['Error: \u001b[31mred\u001b[39m'] },
      { fullName: 'x', status: 'passed' },
      { fullName: 'y', status: 'todo' },
    ];
    expect(parseRunnerReport(`noise\n${reportOf(twice)}`, '/p')).toEqual([
      {
        id: 'a.test.js > x',
        file: 'a.test.js',
        status: 'failed',
        message: 'Error: red',
        frames: [],
      },
      { id: 'a.test.js > x (2)', file: 'a.test.js', status: 'passed' },
      { id: 'a.test.js > y', file: 'a.test.js', status: 'skipped' },
    ]);
    const broken = reportOf([], { status: 'failed', message: 'SyntaxError at /p/src/a.js:3:1' });
    expect(parseRunnerReport(broken, '/p')).toMatchObject([
      { id: 'a.test.js', status: 'failed', frames: [{ path: 'src/a.js', line: 3 }] },
    ]);
    expect(parseRunnerReport('nothing', '/p')).toEqual([]);
  });

  it('are missing if a file did not load; then the output names it', () => {
    const output = [
      'file:///p/src/a.js:2',
      'SyntaxError: Unexpected token',
      '    at async importModule (/p/node_modules/mocha/lib/x.js:1:1)',
      '    at /p/test/a.test.js:1:1',
    ].join('\n');
    expect(
      loadFailure(output, { root: '/p', tests: ['test/b.test.js', 'test/a.test.js'] }),
    ).toMatchObject([
      {
        id: 'test/a.test.js',
        status: 'failed',
        frames: [
          { path: 'src/a.js', line: 2 },
          { path: 'test/a.test.js', line: 1 },
        ],
      },
    ]);
    expect(loadFailure('mocha: not found', { root: '/p', tests: ['test/a.test.js'] })).toEqual([]);
  });
});
