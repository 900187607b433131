/** Survivors are ranked, and what speaks against the best of them is a warning. */
import { describe, expect, it } from 'vitest';
import { type Choice, rankSurvivors, undecided } from '../../src/repair/choose.ts';
import type { Difference } from '../../src/repair/differential.ts';
import type { Diagnosis, RepairResult } from '../../src/repair/investigate.ts';
import { describeRepair } from '../../src/repair/messages.ts';
import { templates } from '../../src/repair/templates/index.ts';
import type { CaseResult } from '../../src/testing/runners/test-runner.ts';

const [template] = templates;
if (template === undefined) throw new Error('no template');

const path = 'a.js';
const text = 'one + two + three;\n';
const textOf = new Map([[path, text]]);
const differ: Difference = { kind: 'differ', call: '(1) gives 1 and 2' };

/** A survivor that writes a text in place of the first name. */
const survivor = (written: string, rank = 0, about: Partial<Choice> = {}) => ({
  candidate: {
    path,
    line: 1,
    edits: [{ start: 0, end: 3, text: written }],
    template,
    score: 1,
    suspicion: 1,
    risk: '',
  },
  rank,
  ...about,
});

const unread = (read: string, left: string): Partial<Choice> => ({ unread: { read, left } });

interface Found {
  readonly failing?: number;
  readonly passing?: number;
  readonly chosen?: Partial<Choice> & { readonly rank?: number };
  readonly rivals?: RepairResult['rivals']['passed'];
}

/** The warnings about one edit. */
function warnings({
  failing = 1,
  passing = 1,
  chosen = {},
  rivals = [],
}: Found): readonly string[] {
  const failed = Array.from(
    { length: failing },
    (_, i): CaseResult => ({ id: `t > ${i}`, file: 't', status: 'failed' }),
  );
  const diagnosis = { failed, passed: passing, suspects: [], textOf } as unknown as Diagnosis;
  const { rank = 0, ...about } = chosen;
  const found: RepairResult = {
    survivors: [],
    tried: 1,
    candidates: 1,
    milliseconds: 1,
    course: [],
    cut: false,
    choices: rankSurvivors([survivor('four', rank, about)], textOf),
    rivals: { tried: 9, passed: rivals },
  };
  return describeRepair(diagnosis, found, 0).warnings;
}

describe('the choice among survivors', () => {
  it('prefers one that reads a variable that nothing read to a smaller one', () => {
    const reads = survivor('one - moons', 1, unread('moons', ''));
    const ranked = rankSurvivors([survivor('two', 0, unread('', 'moons')), reads], textOf);
    expect(ranked.map(c => c.rank)).toEqual([1, 0]);
    expect(rankSurvivors([survivor('two'), survivor('one - moons', 1)], textOf)[0]?.rank).toBe(0);
  });

  it('is decided by such a variable', () => {
    const [other] = rankSurvivors([survivor('two', 1, { against: differ })], textOf);
    const best = (about: Partial<Choice>) =>
      rankSurvivors([survivor('moons', 0, about)], textOf)[0];
    const read = best(unread('moons', ''));
    const plain = best({});
    if (read === undefined || plain === undefined || other === undefined) throw new Error('none');
    expect(undecided(read, [other])).toEqual([]);
    expect(undecided(plain, [other])).toEqual([other]);
  });
});

describe('a warning', () => {
  it('is given if many edits failed before one that few cases tell apart', () => {
    const latestSure = (failing: number, passing: number) => {
      const mayBeChance = (rank: number) =>
        warnings({ chosen: { rank }, failing, passing }).join().includes('may pass by chance');
      return Array.from({ length: 1_000 }, (_, rank) => rank).findLast(r => !mayBeChance(r));
    };
    expect([latestSure(1, 0), latestSure(1, 15), latestSure(2, 15)]).toEqual([80, 80, 160]);
    expect([latestSure(1, 30), latestSure(2, 60)]).toEqual([160, 640]);
  });

  it('names a variable that is still not read', () => {
    expect(warnings({ chosen: unread('', 'moons') }).join()).toContain('"moons"');
    expect(warnings({ chosen: unread('moons', '') })).toEqual([]);
  });

  it('counts small changes of what the edit wrote, and not of the rest of its line', () => {
    const rival = { title: 'another name', text, against: differ };
    const three = (inPlace: boolean) => Array.from({ length: 3 }, () => ({ ...rival, inPlace }));
    expect(warnings({ rivals: three(true) }).join()).toContain('3 small changes');
    expect(warnings({ rivals: three(false) })).toEqual([]);
  });
});
