/** A test that needs two edits: the first lets it come further, and the pair carries a warning. */
import { expect, it } from 'vitest';
import type { Candidate } from '../../../src/repair/candidates/candidates.ts';
import type { RepairContext } from '../../../src/repair/runners/runner-context.ts';
import type { CaseResult, RunnerAdapter } from '../../../src/repair/runners/test-runner.ts';
import { search } from '../../../src/repair/search/search.ts';
import { searchSecondEdits } from '../../../src/repair/search/search-all.ts';
import { candidate } from '../survivors.ts';

/** Candidates that write a digit in place of one of the letters of `ab`. */
const candidates: readonly Candidate[] = [0, 1].flatMap(start =>
  [1, 2, 3].map(digit =>
    candidate({ start, end: start + 1, text: String(digit) }, { score: 1 / digit }),
  ),
);

const file = 'a.test.js';
const failingAt = (line: number): CaseResult => ({
  id: `${file} > works`,
  file,
  status: 'failed',
  frames: [
    { path: 'a.js', line: 1 },
    { path: file, line },
  ],
});

/** The test asks for a 2 in line 5, and then for a 3 in line 6. */
const adapter: RunnerAdapter = {
  name: 'two assertions',
  base: [failingAt(5)],
  coverage: [],
  maxCandidates: 100,
  further: 100,
  open: async () => ({
    run: async ({ files }) => {
      const [first, second] = files['a.js'] ?? '';
      const end = first !== '2' ? failingAt(5) : failingAt(6);
      const passes = first === '2' && second === '3';
      const cases: CaseResult[] = [passes ? { ...end, status: 'passed', frames: [] } : end];
      return { cases, ended: 'done', coverage: [], cpuMs: 1 };
    },
    close: () => {},
  }),
  close: () => {},
};

const context = {
  copies: 1,
  now: () => 0,
  signal: new AbortController().signal,
  log: () => {},
} as unknown as RepairContext;

it('finds the second edit for a test that the first one lets come further', async () => {
  const options = { context, adapter, candidates, textOf: new Map([['a.js', 'ab']]), deadline: 1 };
  const single = await search(options);
  expect(single.survivors).toEqual([]);
  expect(single.further?.map(c => c.edits[0])).toEqual([{ start: 0, end: 1, text: '2' }]);
  const pairs = await searchSecondEdits(options, single.further ?? []);
  expect(pairs?.survivors.map(s => s.candidate)).toMatchObject([
    {
      edits: [
        { start: 0, end: 1, text: '2' },
        { start: 1, end: 2, text: '3' },
      ],
      risk: expect.stringContaining('two edits'),
    },
  ]);
});
