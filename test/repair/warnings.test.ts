/** What speaks against the best survivor is a warning. */
import { describe, expect, it } from 'vitest';
import { type Choice, rankSurvivors } from '../../src/repair/choose/choose.ts';
import type { Difference } from '../../src/repair/choose/differential.ts';
import type { Diagnosis, RepairResult } from '../../src/repair/investigate.ts';
import type { CaseResult, Coverage } from '../../src/repair/runners/test-runner.ts';
import { findWarnings } from '../../src/repair/warnings.ts';
import { differ, survivor, text, textOf, unread } from './survivors.ts';

interface Found {
  readonly failing?: number;
  readonly passing?: number;
  /** Passing cases that run the line of the edit. */
  readonly running?: number;
  /** Passing cases whose lines were recorded. */
  readonly recorded?: number;
  readonly chosen?: Partial<Choice> & { readonly rank?: number };
  /** Other edits that pass and behave alike. */
  readonly others?: number;
  readonly tried?: number;
  readonly alternativeFixes?: RepairResult['alternativeFixes']['passed'];
  /** True if the time was up before a small change failed. */
  readonly cut?: boolean;
}

/** The warnings about one edit. */
function warnings({
  failing = 1,
  passing = 1,
  running = 0,
  recorded = 0,
  chosen = {},
  others = 0,
  tried = 1,
  alternativeFixes = [],
  cut = false,
}: Found): readonly string[] {
  const failed = Array.from(
    { length: failing },
    (_, i): CaseResult => ({ id: `t > ${i}`, file: 't', status: 'failed' }),
  );
  const base = Array.from(
    { length: passing },
    (_, i): CaseResult => ({ id: `p > ${i}`, file: 'p', status: 'passed' }),
  );
  const coverage = base
    .slice(0, recorded)
    .map(({ id, file }, i): Coverage => ({ id, file, files: { 'a.js': [i < running ? 1 : 9] } }));
  const adapter = { base, coverage };
  const diagnosis = {
    adapter,
    failed,
    passed: passing,
    suspects: [],
    textOf,
  } as unknown as Diagnosis;
  const { rank = 0, ...about } = chosen;
  const found: RepairResult = {
    survivors: [],
    tried,
    candidates: 1,
    milliseconds: 1,
    course: [],
    cut: false,
    choices: rankSurvivors(
      [
        survivor('four', rank, about),
        ...Array.from({ length: others }, (_, i) =>
          survivor(`a${i}`, rank, { against: { kind: 'same' } }),
        ),
      ],
      textOf,
    ),
    alternativeFixes: { tried: cut ? alternativeFixes.length : 9, cut, passed: alternativeFixes },
    senseless: [],
    isChecked: true,
    breaking: { edits: 0, id: '' },
    left: [],
    partly: 0,
  };
  return findWarnings(diagnosis, found, 0);
}

describe('a warning', () => {
  it('is given if many edits failed before one that few cases tell apart', () => {
    const latestSure = (failing: number, passing: number, running?: number, recorded?: number) => {
      const mayBeChance = (rank: number) =>
        /Photon tried \d+ other edits? before this one/.test(
          warnings({ chosen: { rank }, failing, passing, running, recorded }).join(),
        );
      return Array.from({ length: 1_000 }, (_, rank) => rank).findLast(r => !mayBeChance(r));
    };
    expect([latestSure(1, 0), latestSure(1, 15), latestSure(2, 15)]).toEqual([80, 80, 160]);
    expect([latestSure(1, 30), latestSure(2, 60)]).toEqual([160, 640]);
    // a case that does not run the line tells nothing about it
    expect([latestSure(1, 60, 7, 60), latestSure(1, 60, 30, 60)]).toEqual([80, 160]);
    // where half of the cases were recorded, their share stands for all; a comment that none ran tells nothing
    expect([latestSure(1, 60, 15, 30), latestSure(1, 60, 0, 60)]).toEqual([160, 320]);
  });

  it('is given if many edits pass the only failing case, whatever else is known of them', () => {
    const many = (count: number, failing = 1, tried = 100) =>
      warnings({ others: count, failing, tried }).join();
    expect(many(10)).toContain('10 of 100 other edits pass it, too');
    expect([many(9), many(10, 2), many(10, 1, 1_000)]).toEqual(['', '', '']);
  });

  it('counts a small change that was not compared as different', () => {
    const passed = { title: 'another name', text, inPlace: true };
    const three = (against: Difference | undefined) =>
      warnings({ alternativeFixes: Array.from({ length: 3 }, () => ({ ...passed, against })) });
    for (const against of [undefined, { kind: 'unknown' }] as const)
      expect(three(against).join()).toContain('3 other small changes to this line also pass');
    expect(three({ kind: 'same' })).toEqual([]);
  });

  it('is given if the time was up before a small change failed', () => {
    const change = { title: 'another name', text, inPlace: false };
    for (const alternativeFixes of [[], [change]])
      expect(warnings({ alternativeFixes, cut: true })).toEqual([
        'The time was up before Photon could see whether the tests check `four`; check that it is what you want.',
      ]);
    expect(warnings({ alternativeFixes: [change] })).toEqual([]);
  });

  it('names a variable that is still not read', () => {
    expect(warnings({ chosen: unread('', 'moons') }).join()).toContain('"moons"');
    expect(warnings({ chosen: unread('moons', '') })).toEqual([]);
    expect(warnings({ chosen: { unrun: 7 } }).join()).toContain('no test runs line 7');
  });

  it('counts small changes of what the edit wrote, and not of the rest of its line', () => {
    const alternativeFix = { title: 'another name', text, against: differ };
    const three = (inPlace: boolean) =>
      Array.from({ length: 3 }, () => ({ ...alternativeFix, inPlace }));
    expect(warnings({ alternativeFixes: three(true) }).join()).toContain(
      '3 other small changes to this line also pass all tests; check that `four` is what you want.',
    );
    expect(warnings({ alternativeFixes: three(false) })).toEqual([]);
  });
});
