/** The verdict about a patch stands, whatever becomes of its proof. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import type { PatchProof } from '../../src/base/findings.ts';
import type { Verification } from '../../src/base/outcome.ts';
import {
  describeProof,
  type PassedPatch,
  proveVerdict,
  weakLines,
} from '../../src/verify/prove-verdict.ts';

const verdict: Verification = { require: 'pass', passed: true, regressions: [], patchDigest: 'd' };
const prove = (require: 'pass' | 'decided', error: unknown) => {
  const lines: string[] = [];
  const measure = () => Promise.reject(error);
  const options = { require, measure, log: (line: string) => void lines.push(line) };
  const proving = proveVerdict(options, { ...verdict, require }, {} as PassedPatch);
  return { proving, lines };
};

describe('a verdict', () => {
  it.each(['CANCELLED', 'BUDGET_TIME', 'SETUP_FAILED'] as const)(
    'stands if its proof ends with %s',
    async code => {
      const { proving, lines } = prove('pass', new PhotonError(code));
      const { verification, message } = await proving;
      expect(verification).toEqual(verdict);
      expect(message).toBe('Verification passed.');
      expect(lines).toEqual([expect.stringContaining('the verdict stands')]);
    },
  );

  it('is none without the proof that the settings require', async () => {
    const { proving } = prove('decided', new PhotonError('CANCELLED'));
    await expect(proving).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('hides no fault of Photon', async () => {
    await expect(prove('pass', new TypeError('x')).proving).rejects.toThrow(TypeError);
  });
});

const line = (shows: string, start: number) => ({ path: 'a.js', start, end: start + 1, shows });
const proof = (more: object = {}) =>
  ({
    counts: { decided: 2, executed: 1, unexecuted: 1 },
    hunks: { total: 3, notNeeded: [] },
    mutants: { survived: [] },
    lines: [line('decided', 1), line('executed', 3), line('unexecuted', 5)],
    flaky: [],
    cut: '',
    ...more,
  }) as unknown as PatchProof;

describe('the lines that are too weak', () => {
  it.each([
    ['executed', [5]],
    ['decided', [3, 5]],
    ['pass', []],
  ] as const)('for %s begin at %j', (require, starts) => {
    expect(weakLines(proof(), require).map(l => l.start)).toEqual(starts);
  });
});

describe('a proof in words', () => {
  it('counts the lines and names those that no test runs', () => {
    expect(describeProof(proof())).toBe(
      'Changed lines: 2 decided, 1 executed, 1 unexecuted.\nNo test runs a.js:5-6: test them, or leave out what the task does not need.',
    );
  });

  it('names a change that no test notices, hunks that none needs, and flaky cases', () => {
    const said = describeProof(
      proof({
        lines: [],
        mutants: { survived: [{ path: 'a.js', line: 3, after: 'x > 1' }] },
        hunks: { total: 3, notNeeded: [line('', 8)] },
        flaky: ['t'],
      }),
    );
    expect(said).toContain('No test notices if a.js:3 becomes: x > 1');
    expect(said).toContain('The tests end the same without 1 of 3 hunks (a.js:8-9): test what');
    expect(said).toContain('Flaky: t.');
  });

  it('names the lines that are unknown, why, and that nothing is to be done', () => {
    const lines = [1, 3, 5, 7, 9].map(start => ({ ...line('unknown', start), end: start }));
    const cut = 'the runner of the tests does not tell which lines it runs';
    expect(describeProof(proof({ counts: { unknown: 5 }, lines, cut }))).toBe(
      `Changed lines: 5 unknown.\nPhoton cannot judge a.js:1, a.js:3, a.js:5 and 2 more, since ${cut}. There is nothing to do about it.`,
    );
  });
});
