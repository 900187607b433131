import { describe, expect, it } from 'vitest';
import type { PatchProof } from '../../../src/base/findings.ts';
import { proofLines } from '../../../src/report/pull-request/proof-section.ts';
import { outcome } from '../hostile.ts';

const line = (shows: string, start: number) => ({ path: 'a.js', start, end: start + 1, shows });

const shown = (proof: object) => {
  const end = outcome('x', 'written');
  const all = {
    counts: { decided: 2, executed: 0, unexecuted: 0, unknown: 0 },
    lines: [line('decided', 1)],
    hunks: { total: 5, tried: 5, notNeeded: [] },
    mutants: { tried: 0, survived: [] },
    newTests: [],
    flaky: [],
    cut: '',
    ...proof,
  } as unknown as PatchProof;
  const verification = end.verification === null ? null : { ...end.verification, proof: all };
  return proofLines({ ...end, verification });
};

describe('the lines about a proof', () => {
  it.each([
    [1, 1, 'The repaired test case fails where it expects other values.'],
    [3, 3, 'Each of the 3 repaired test cases fails where it expects other values.'],
    [1, 0, 'It is not shown that the repaired test case depends on the values that it expects.'],
    [
      3,
      2,
      'Of 3 repaired test cases, 2 fail where other values are expected, and 1 is not shown to depend on the values.',
    ],
  ])('say of %d repaired cases that %d depend on what they expect', (cases, dependent, line) => {
    const end = outcome('x', 'written');
    const verification = end.verification && {
      ...end.verification,
      proof: undefined,
      repaired: { cases, dependent },
    };
    expect(proofLines({ ...end, verification })).toBe(line);
  });

  it('ask for nothing where the tests decide each line', () => {
    expect(shown({})).toBe('A test depends on each of the 2 changed lines of code.');
  });

  it('name the lines that cannot be judged, why, and what to do', () => {
    const lines = [11, 21, 31, 41].map(start => line('unknown', start));
    const counts = { decided: 0, executed: 0, unexecuted: 0, unknown: 8 };
    const cut = 'the runner of the tests does not tell which lines it runs';
    expect(shown({ counts, lines, cut })).toBe(
      `Photon cannot judge any of the 8 changed lines of code (\`a.js:11–12\`, \`a.js:21–22\`, \`a.js:31–32\` and 1 more). Review them.\n\nNot everything was looked at: ${cut}.`,
    );
  });

  it('count only the lines that can be judged where no test decides one', () => {
    const lines = [line('executed', 11), line('unknown', 21)];
    const counts = { decided: 0, executed: 2, unexecuted: 0, unknown: 2 };
    expect(shown({ counts, lines })).toBe(
      'Photon can judge 2 of 4 changed lines of code, and no test decides any of them. Tests run 2 without deciding them (`a.js:11–12`). Photon cannot judge 2 (`a.js:21–22`). Review the lines that no test decides.',
    );
  });

  it('name the lines that no test runs, and the hunks that none needs', () => {
    const notNeeded = [3, 7, 9, 13].map(start => ({ path: 'b.js', start, end: start }));
    const counts = { decided: 1, executed: 2, unexecuted: 2, unknown: 0 };
    const lines = [line('executed', 3), line('unexecuted', 5)];
    const text = shown({ counts, lines, hunks: { total: 5, tried: 5, notNeeded } });
    expect(text).toContain(
      'Tests run 2 without deciding them (`a.js:3–4`). **No test runs 2** (`a.js:5–6`).',
    );
    expect(text).toContain(
      'The tests end the same without 4 of 5 hunks (`b.js:3`, `b.js:7`, `b.js:9` and 1 more). Check that the task needs what no test does.',
    );
  });
});
