/** The commands that the end of a run prints work where the user stands. */
import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PatchProof } from '../../../src/base/findings.ts';
import type { Outcome } from '../../../src/base/outcome.ts';
import { renderComment } from '../../../src/report/comment/comment.ts';
import { repairSection } from '../../../src/report/pull-request/repair-section.ts';
import { renderRun, renderStart, warningLines } from '../../../src/report/terminal/run-text.ts';
import { outcome } from '../hostile.ts';
import { verifiedRun } from '../pages.ts';

const top = `${sep}home${sep}me${sep}my shop`;
const patch = `${top}${sep}.photon${sep}runs${sep}1${sep}patch.diff`;
const place = { files: [patch], name: 'fd33a856', top };

/** The lines with commands, for a user in this folder. */
const printed = (
  from: string,
  more: object = {},
  status: 'written' | 'applied' | 'failed' = 'written',
) =>
  renderRun(outcome('x', status), { ...place, from, ...more })
    .split('\n')
    .filter(line => /^(?:Apply it|Take it back|Look at it|Go on from its patch):/.test(line));

describe('the next steps of a run', () => {
  it('at the top of the repository', () => {
    expect(printed(top)).toEqual([
      'Apply it:   photon apply fd33a856, or git apply .photon/runs/1/patch.diff',
      'Look at it: photon show fd33a856',
    ]);
  });

  it('after a failure, the patch that it kept', () => {
    expect(printed(top, {}, 'failed')[0]).toBe(
      'Go on from its patch: photon run --continue fd33a856',
    );
  });

  it.skipIf(sep === '\\')('in a folder below it, where git apply alone changes nothing', () => {
    expect(printed(`${top}/src/deep`)).toEqual([
      `Apply it:   photon apply fd33a856, or git -C "${top}" apply "${patch}"`,
      'Look at it: photon show fd33a856',
    ]);
  });

  it.skipIf(sep === '\\')('outside of it', () => {
    expect(printed('/home/me')).toEqual([
      `Apply it:   photon apply fd33a856 --repo "${top}", or git -C "${top}" apply "${patch}"`,
      `Look at it: photon show fd33a856 --repo "${top}"`,
    ]);
    expect(printed('/home/me/my shop 2', {}, 'applied')).toEqual([
      `Take it back: photon undo --repo "${top}"`,
      `Look at it: photon show fd33a856 --repo "${top}"`,
    ]);
  });

  it.skipIf(sep === '\\')('with a folder of the user, and characters that a shell reads', () => {
    const files = ['/out/$(id)/patch.diff'];
    expect(printed('/', { files, name: '', top: '/a' })).toEqual([
      'Apply it:   git -C /a apply "/out/\\$(id)/patch.diff"',
    ]);
  });
});

it.each<[string, (made: Outcome) => string]>([
  ['terminal', made => renderRun(made, { ...place, from: top })],
  ['comment', renderComment],
])('at the %s, a failed run shows its failures before the end of its output', (_place, render) => {
  const made = outcome('x', 'rolled_back');
  const { verification } = made;
  const { after } = verification ?? {};
  if (verification === null || after === undefined) return expect.fail();
  const many = Array.from({ length: 135 }, (_, i) => `ok ${i + 1} - passes`).join('\n');
  const failedCases = [{ name: 'rounds up', text: 'not ok 3 - rounds up\n  error: 89' }];
  const run = { ...after, outputTail: many, failedCases };
  const text = render({
    ...made,
    verification: { ...verification, after: run, withBaseTests: undefined },
  });
  expect(text).toMatch(
    /Failed: rounds up\n.*not ok 3 - rounds up\n.*error: 89\n(?:.*\n)+.*ok 135 - passes/,
  );
});

it.each([
  ['rolled_back', true],
  ['written', false],
] as const)('a run that ended %s says why its tests failed: %s', (status, shown) => {
  const made = outcome('x', status);
  const reason = 'The test command fails without the patch, too. Set test-command.';
  const { verification } = made;
  const text = renderRun(
    { ...made, verification: verification && { ...verification, reason } },
    { ...place, from: top },
  );
  expect(text.split('\n')[1] === `  ${reason}`).toBe(shown);
});

it('each warning is told once, also those of the verification', () => {
  const { outcome: made } = verifiedRun();
  const { repair = expect.fail(), verification } = made;
  const warned = {
    ...made,
    repair: { ...repair, warnings: ['one'] },
    verification: verification && { ...verification, warnings: ['one', 'two'] },
  };
  expect(warningLines(warned)).toEqual(['warning: one', 'warning: two']);
});

it('what the tests do not show of a patch is said, and nothing where they show it', () => {
  const { outcome: made } = verifiedRun();
  const noted = (weak: object) => {
    const { verification = expect.fail() } = made;
    const proof = { ...verification?.proof, ...weak } as PatchProof;
    const end = { ...made, verification: verification && { ...verification, proof } };
    return renderRun(end, { ...place, from: top })
      .split('\n')
      .filter(line => line.startsWith('note: '));
  };
  const counts = { decided: 1, executed: 0, unexecuted: 0, unknown: 0 };
  const hunks = { total: 2, tried: 2, notNeeded: [] };
  expect(noted({ counts, hunks })).toEqual([]);
  const lines = [{ path: 'a.js', start: 3, end: 4, shows: 'unexecuted' }];
  const notNeeded = [{ path: 'a.js', start: 3, end: 3 }];
  expect(
    noted({ counts: { ...counts, unexecuted: 2 }, lines, hunks: { ...hunks, notNeeded } }),
  ).toEqual([
    'note: no test runs 2 of 3 changed lines of code (a.js:3-4)',
    'note: the tests end the same without 1 of 2 hunks (a.js:3)',
  ]);
});

it('a run that ended in the search tells how far the embedded engine was', () => {
  const { outcome: made } = verifiedRun();
  const { repair = expect.fail() } = made;
  const failures = [{ test: 'sums', shown: 'got 1, expected 2' }];
  const ended = {
    ...made,
    status: 'failed' as const,
    patch: { ...made.patch, files: [] },
    repair: { ...repair, edit: undefined, failures, warnings: [] },
  };
  const text = renderRun(ended, { ...place, from: top });
  expect(text).toContain('  the fault is probably near ');
  expect(text).toContain('  sums: got 1, expected 2');
  const section = repairSection(ended);
  expect(section).toContain('before the embedded engine had a repair for');
  expect(section).toContain('got 1, expected 2');
  expect(repairSection({ ...ended, status: 'abstained' })).toBe('');
});

const clean = {
  folder: 'shop',
  branch: 'main',
  commit: 'abcdef0123456789',
  changed: [],
};

it('a clean checkout is one line, with or without a branch', () => {
  expect(renderStart(clean)).toBe('photon run · shop · main at abcdef0\n');
  expect(renderStart({ ...clean, branch: '' })).toBe('photon run · shop · abcdef0\n');
});

it('unsaved work is named, at most five files', () => {
  const many = ['1', '2', '3', '4', '5', '6', '7'];
  expect(renderStart({ ...clean, changed: many }).split('\n')).toEqual([
    'photon run · shop · main at abcdef0',
    'note: 7 files differ from the commit: 1, 2, 3, 4, 5 and 2 more. The run does not see these changes.',
    '',
  ]);
  expect(renderStart({ ...clean, changed: ['a'] })).toContain('1 file differs from');
});
