/** Cases that pass and fail on the same files, in a verifier whose test runs are scripted. */
import { describe, expect, it } from 'vitest';
import type { VerifierOptions } from '../../src/verify/verify.ts';
import { changeOf } from './changes.ts';
import { type Cases, openScripted } from './scripted-runs.ts';

type Options = NonNullable<Parameters<typeof openScripted>[1]>;

const measure = async ({ flaky }: { flaky: readonly string[] }) => ({
  counts: { decided: 0, executed: 0, unexecuted: 0, unknown: 0 },
  lines: [],
  flaky,
  hunks: { total: 1, tried: 0, notNeeded: [] },
  mutants: { tried: 0, survived: [] },
  newTests: [],
  durationMs: 0,
  cut: '',
});

async function verifyRuns(casesOf: Parameters<typeof openScripted>[0], more: Options = {}) {
  const options = { reruns: 2, measure: measure as unknown as VerifierOptions['measure'], ...more };
  const verifier = openScripted(casesOf, options);
  const { verification } = await verifier.verify([changeOf('src/a.js', 'a\n', 'b\n')], 'digest');
  await verifier.close();
  return verification;
}

/** Verifies a patch; each run of the tests takes the next results of its list, and the last ones from then on. */
async function verify(
  { base, patched }: { readonly base: readonly Cases[]; readonly patched: readonly Cases[] },
  more: Options = {},
) {
  const ran: string[] = [];
  const verification = await verifyRuns(isBase => {
    const [kind, all] = isBase ? (['base', base] as const) : (['patched', patched] as const);
    const cases = all[Math.min(ran.filter(k => k === kind).length, all.length - 1)] ?? {};
    ran.push(kind);
    return cases;
  }, more);
  return { verification, ran: ran.sort().join(' ') };
}

describe('flaky test cases', () => {
  it('are not looked for while every case passes', async () => {
    const { verification, ran } = await verify({ base: [{ a: true }], patched: [{ a: true }] });
    expect([verification.passed, ran]).toEqual([true, 'base patched']);
  });

  it('are named, and a repair that only they show is in doubt', async () => {
    const { verification, ran } = await verify({
      base: [
        { a: true, b: false },
        { a: true, b: true },
      ],
      patched: [{ a: true, b: true }],
    });
    expect(ran).toBe('base base patched patched');
    expect(verification).toMatchObject({ passed: true, proof: { flaky: ['b'] } });
    expect(verification.warnings).toEqual([
      'The tests that failed before are flaky, so they do not show that the patch repairs anything: b.',
    ]);
  });

  it('leave a repair of another case undoubted', async () => {
    const { verification } = await verify({
      base: [
        { a: false, b: false },
        { a: false, b: true },
      ],
      patched: [{ a: true, b: true }],
    });
    expect(verification).toMatchObject({ passed: true, warnings: [], proof: { flaky: ['b'] } });
  });

  it('fail no patch by themselves', async () => {
    const base = [
      { a: false, b: false },
      { a: false, b: true },
    ];
    const patched = [
      { a: true, b: false },
      { a: true, b: true },
    ];
    expect((await verify({ base, patched })).verification.passed).toBe(true);
    const always = await verify({ base, patched: [{ a: true, b: false }] });
    expect(always.verification.passed).toBe(false);
    const stable = await verify({ base: [{ a: false, b: true }], patched });
    expect(stable.verification).toMatchObject({ passed: false, code: 'VERIFY_FAILED' });
  });

  it('are no regressions', async () => {
    const base = [
      { a: false, b: true },
      { a: false, b: false },
    ];
    const patched = [{ a: false, b: false }];
    const loose = await verify({ base, patched }, { require: 'no-regression' });
    expect(loose.verification.regressions).toEqual([]);
    const strict = await verify({ base: [base[0] ?? {}], patched }, { require: 'no-regression' });
    expect(strict.verification.regressions).toEqual(['b']);
  });

  it('that the patch brings are a warning', async () => {
    const { verification } = await verify({
      base: [{ a: false, b: false }],
      patched: [
        { a: true, b: true },
        { a: true, b: false },
      ],
    });
    expect(verification.warnings?.[0]).toBe(
      'With the patch, these tests pass and fail on the same files: b.',
    );
  });

  it('are not looked for when the settings turn the proof off, or ask for one run', async () => {
    const runs = { base: [{ a: false }], patched: [{ a: true }] };
    expect((await verify(runs, { measure: undefined })).ran).toBe('base patched');
    expect((await verify(runs, { reruns: 1 })).ran).toBe('base patched');
    expect((await verify(runs, { reruns: 3 })).ran).toBe('base base base patched patched patched');
  });

  it('run again one after the other, since runs may share a port', async () => {
    let [now, most] = [0, 0];
    const casesOf = async (isBase: boolean) => {
      now += isBase ? 0 : 1;
      most = Math.max(most, now);
      // whatever else may begin has begun by then
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
      now -= isBase ? 0 : 1;
      return { a: !isBase };
    };
    await verifyRuns(casesOf, { durationMs: 1_000 });
    expect(most).toBe(1);
  });

  it.each([
    ['alone where the runner can select their files', 'pytest -v', 'all part'],
    ['with the whole suite where it cannot', 'sh run-tests.sh', 'all all'],
    ['with the whole suite if the part leaves one of them out', 'pytest -v -p no', 'all part all'],
  ])('run again %s', async (_, command, expected) => {
    const lines: string[] = [];
    const casesOf = (isBase: boolean, line: string) => {
      const isPart = line.includes('tests/test_a.py');
      if (isBase) lines.push(isPart ? 'part' : 'all');
      const failing = isPart && line.includes('-p no') ? 'other' : 'a';
      return { [`tests/test_a.py::test_${failing}`]: false, 'tests/test_b.py::test_b': true };
    };
    const paths = async () => ['src/a.py', 'tests/test_a.py', 'tests/test_b.py'];
    await verifyRuns(casesOf, { command, paths, durationMs: 6_000 });
    expect(lines.join(' ')).toBe(expected);
  });
});
