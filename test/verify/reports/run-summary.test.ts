import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ecosystems } from '../../../src/ecosystems/index.ts';
import type { TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import {
  countSummaries,
  filesWithoutCases,
  plainText,
  readSummaries,
  whatRan,
} from '../../../src/verify/reports/run-summary.ts';
import { root } from '../../root.ts';

describe('summaries of runners', () => {
  it.each<[string, string, string, number, number]>([
    [
      'node:test',
      'node:test',
      'ℹ tests 4\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0\n',
      3,
      2,
    ],
    [
      'node:test as TAP',
      'node:test',
      '# tests 2\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n',
      2,
      1,
    ],
    [
      'vitest',
      'vitest',
      ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 3 skipped (6)\n',
      3,
      1,
    ],
    [
      'vitest in colours',
      'vitest',
      '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m2 passed\u001b[39m\u001b[22m\u001b[90m (2)\u001b[39m\n',
      2,
      0,
    ],
    [
      'jest',
      'jest',
      'Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total\n',
      3,
      1,
    ],
    ['mocha', 'mocha', '  2 passing (5ms)\n  1 pending\n  1 failing\n', 3, 1],
    ['ava', 'ava', '  ─\n\n  12 tests passed\n', 12, 0],
    ['pytest', 'pytest', '=== 1 failed, 2 passed, 1 skipped in 0.71s ===\n', 3, 1],
    ['pytest, quiet', 'pytest', '2 passed in 0.01s\n', 2, 0],
    [
      'unittest',
      'unittest',
      'Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n',
      3,
      2,
    ],
    ['cargo', 'cargo', 'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n', 2, 1],
    ['maven', 'maven', '[INFO] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n', 3, 2],
    ['rspec', 'rspec', '3 examples, 1 failure, 1 pending\n', 2, 1],
    ['minitest', 'minitest', '3 runs, 5 assertions, 1 failures, 1 errors, 1 skips\n', 2, 2],
  ])('%s', (_name, runner, output, ran, failed) =>
    expect(readSummaries(output)).toEqual([{ runner, ran, failed }]),
  );

  it.each([
    [
      'a file of node:test',
      '✔ one (1ms)\n✖ test/a.test.js (3ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n',
      1,
    ],
    [
      'a file of node:test as TAP',
      'ok 1 - one\nnot ok 2 - test/a.test.js\n# tests 2\n# pass 1\n# fail 1\n',
      1,
    ],
    [
      'a hook of mocha',
      '  ✔ one\n  1) "after all" hook for "one"\n\n  1 passing (5ms)\n  1 failing\n',
      1,
    ],
    ['a fixture of pytest', '2 passed, 1 error in 0.1s\n', 2],
  ])('a failure that is no case is not counted as one: %s', (_name, output, ran) =>
    expect(readSummaries(output)).toMatchObject([{ ran, failed: 1 }]),
  );

  it('no two runners claim one line of a recorded output', () => {
    const claims = ecosystems
      .flatMap(e => e.runners ?? [])
      .flatMap(({ runner, line, nothing = [] }) =>
        [line, ...nothing].flatMap(form => (form === undefined ? [] : [{ runner, form }])),
      );
    const names = readdirSync(folder).filter(name => name.endsWith('.txt'));
    const claimed = names
      .flatMap(name => plainText(readFileSync(join(folder, name), 'utf8')).split('\n'))
      .map(line => new Set(claims.filter(c => c.form.test(line)).map(c => c.runner)))
      .filter(runners => runners.size > 0);
    expect(claimed.length).toBeGreaterThan(names.length / 2);
    expect(claimed.filter(runners => runners.size > 1)).toEqual([]);
  });

  it('output of the program is not a summary', () => {
    const said = 'tests 2\n2 passed\nTests are fine\nRan away in 2s\n12 passing cars\nOK\n';
    expect(readSummaries(said)).toEqual([]);
  });

  it('an error of pytest is a failure', () =>
    expect(readSummaries('== 1 error in 0.1s ==\n')).toMatchObject([{ ran: 0, failed: 1 }]));

  it('one after another', () =>
    expect(
      readSummaries('  2 passing (5ms)\n\nRan 1 test in 0.1s\n\nOK\n').map(s => s.runner),
    ).toEqual(['mocha', 'unittest']));

  it('files that node:test reports as one passed case', () => {
    const output =
      '✔ test/a.test.js (40.4ms)\n✔ adds a.js (1ms)\n✖ test/b.test.js (3ms)\nok 3 - c.test.mjs\n  ✔ d.js (1ms)\n';
    expect(filesWithoutCases(output)).toEqual(['test/a.test.js', 'c.test.mjs']);
  });
});

const folder = join(root, 'test/fixtures/reports');
const empty = join(folder, 'nothing-ran');
const read = (path: string) => readFileSync(path, 'utf8');

interface Documented {
  readonly runner: string;
  readonly text: string;
  readonly ran?: number;
  readonly failed?: number;
}

// the coverage profile of go is no output
const outputs = readdirSync(folder).filter(n => n.endsWith('.txt') && !n.startsWith('go-cover'));
const rows = (name: string): readonly Documented[] => JSON.parse(read(join(empty, name)));

describe('no test case ran in the output of', () => {
  it.each(readdirSync(empty).filter(name => name.endsWith('.txt')))('%s', name =>
    expect(whatRan(undefined, read(join(empty, name)))).toMatchObject({ kind: 'none' }),
  );
  it.each(rows('as-documented.json'))('$runner', ({ text }) => {
    const found = whatRan(undefined, text);
    expect(found).toMatchObject({ kind: 'none' });
    expect(text).toContain(found.kind === 'none' ? found.words : '');
  });
});

describe('test cases ran in the output of', () => {
  it.each(outputs)('%s', name =>
    expect(whatRan(undefined, read(join(folder, name)))).toMatchObject({
      // TAP is read as a report
      kind: name.startsWith('tap') ? 'unknown' : 'cases',
    }),
  );
  it.each(rows('some-ran.json'))('$runner, $ran of them', ({ runner, ran, failed, text }) => {
    expect(whatRan(undefined, text)).toEqual({ kind: 'cases' });
    expect(readSummaries(text)).toEqual([{ runner, ran, failed }]);
  });
  it('a tool that runs several packages', () => {
    const text = 'web:test:       Tests  3 passed (3)\n Tasks:    1 successful, 1 total\n';
    expect(whatRan(undefined, text)).toEqual({ kind: 'cases' });
    expect(whatRan(undefined, text.replace('3 passed', '3 skipped'))).toMatchObject({
      kind: 'none',
    });
  });
  it('one of several runners', () => {
    const both = `${read(join(empty, 'node-24.21.0.0.txt'))}\n3 examples, 0 failures\n`;
    expect(whatRan(undefined, both)).toEqual({ kind: 'cases' });
  });
});

describe('a report', () => {
  const one = (status: TestCase['status']): readonly TestCase[] => [{ id: 'a', status }];
  it.each(['passed', 'failed'] as const)('with a %s case shows that it ran', status =>
    expect(whatRan(one(status), 'No tests executed!')).toEqual({ kind: 'cases' }),
  );
  it('of nothing shows that nothing ran', () => {
    expect(whatRan([], 'done')).toEqual({ kind: 'none', words: 'its report lists no case' });
    const skipped = 'its report lists only skipped cases (1)';
    expect(whatRan(one('skipped'), 'done')).toEqual({ kind: 'none', words: skipped });
  });
});

it.each(['', 'linted 3 files\n', 'Documented 12 examples, as a page\n', '{"tests":0}\n'])(
  'a script counts no cases: %j',
  text => expect(whatRan(undefined, text)).toEqual({ kind: 'unknown' }),
);

describe('the cases that summaries count', () => {
  it.each<[string, boolean, object | undefined]>([
    ['==== 8 failed, 430 passed, 2 skipped in 0.9s ====', false, [430, 8, 2]],
    ['==== 438 passed in 0.9s ====', true, [438, 0, 0]],
    ['Tests:       1 failed, 2 passed, 3 total', false, [2, 1, 0]],
    ['Ran 3 tests in 0.003s\n\nFAILED (failures=1)', false, [2, 1, 0]],
    ['  3 tests passed', true, [3, 0, 0]],
    ['Ran 3 tests in 0.003s\n\nOK\n==== 2 passed in 0.1s ====', true, [5, 0, 0]],
    // what is no case is in no such number
    ['==== 3 passed, 1 error in 0.9s ====', false, undefined],
    ['==== 6 errors in 1.47s ====', false, undefined],
    ['  3 tests passed', false, undefined],
    ['ok  \texample.com/a\t0.002s', true, undefined],
    ['done', true, undefined],
  ])('in %j of a run that passes (%s) are %j', (output, passes, counts) => {
    const counted = countSummaries(`...\n${output}\n`, passes);
    expect(counted && [counted.passed, counted.failed, counted.skipped]).toEqual(counts);
  });
});
