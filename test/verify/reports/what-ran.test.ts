/** Tests that a run without a single test case is known as such, by what each runner prints. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import { readSummaries } from '../../../src/verify/reports/run-summary.ts';
import { whatRan } from '../../../src/verify/reports/what-ran.ts';
import { root } from '../../root.ts';

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
