/** Ranks candidates by what earlier ones at the same place changed in the failures: mutation-based localisation. Pure. */
import type { Candidate } from '../candidates/candidates.ts';
import type { CaseResult, JobResult } from '../runners/test-runner.ts';

/** Learns from the candidates that were tried. */
export interface Impact {
  note(candidate: Candidate, result: JobResult): void;
  /** The candidates that are left, best first, without those at places that change nothing. */
  ranked(left: readonly Candidate[]): readonly Candidate[];
}

/** Edits at a place that change nothing until the others there count less, and until they are left out. */
const fewTried = 4;
const enoughTried = 16;
const unchangedShare = 0.3;
/** How much more an edit of a line counts where another one repaired every failing case. */
const repairedFactor = 4;

/**
 * Opens the impact for the results of the tests without a change. As Metallaxis (Papadakis, Le Traon 2015), it looks at
 * what edits change. One edit that repairs everything changes the first failure, so a place where no edit changes it is
 * not the place of the fault. Where an edit repairs what fails, such as a condition that is turned over, a better edit is
 * near: angelic values (Chandra et al. 2011), the first step of SPR (Long, Rinard 2015). Where an edit passes all tests,
 * the others of its line are its first alternatives.
 */
export function openImpact(base: readonly CaseResult[]): Impact {
  const failures = new Map(base.filter(c => c.status === 'failed').map(c => [c.id, c]));
  const places = new Map<string, { tried: number; changed: number }>();
  const repairedLines = new Set<string>();
  const computeShare = (candidate: Candidate) => {
    if (repairedLines.has(formatLineKey(candidate))) return repairedFactor;
    const { tried, changed } = places.get(formatPositionKey(candidate)) ?? nothing;
    if (changed > 0 || tried < fewTried) return 1;
    return tried < enoughTried ? unchangedShare : 0;
  };
  return {
    note: (candidate, result) => {
      const key = formatPositionKey(candidate);
      const { tried, changed } = places.get(key) ?? nothing;
      const failed = result.cases.find(c => c.status === 'failed');
      const passed = new Set(result.cases.filter(c => c.status === 'passed').map(c => c.id));
      if (failures.keys().every(id => passed.has(id))) repairedLines.add(formatLineKey(candidate));
      const before = failures.get(failed?.id ?? '');
      const same = failed !== undefined && before !== undefined && isSame(failed, before);
      // a failure that shows no value may hide a change
      if (same && !showsValue(before)) return;
      const isChanged = !same || failures.keys().some(id => passed.has(id));
      places.set(key, { tried: tried + 1, changed: changed + Number(isChanged) });
    },
    ranked: left =>
      left
        .map(candidate => ({ candidate, score: candidate.score * computeShare(candidate) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .map(({ candidate }) => candidate),
  };
}

const nothing = { tried: 0, changed: 0 };

const formatLineKey = ({ path, line }: Candidate) => `${path}\0${line}`;

/** A line, apart for what is inserted there and what is changed. */
function formatPositionKey({ path, line, edits }: Candidate): string {
  return `${path}\0${line}\0${edits.every(e => e.start === e.end)}`;
}

/** True for a failure that shows a value, so that another value is seen: not for `true`, or an error of the program. */
export function showsValue({ compared, message = '' }: CaseResult): boolean {
  if (compared === undefined) return /^(AssertionError: )?(assert )?\S.* (==|!=) .+/.test(message);
  return !/^(true|false|null|undefined|)$/.test(compared.actual);
}

function isSame(one: CaseResult, other: CaseResult): boolean {
  return one.message === other.message && one.compared?.actual === other.compared?.actual;
}
