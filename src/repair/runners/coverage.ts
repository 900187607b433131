/** The lines that cases ran, and of which cases of a large suite they are recorded. */
import type { CaseResult, Coverage } from './test-runner.ts';

/** Lines by path. */
export type Lines = ReadonlyMap<string, ReadonlySet<number>>;

/** The lines that some case ran, in the files that count. */
export function joinLines(
  coverage: readonly Coverage[],
  counts: (path: string) => boolean = () => true,
): Lines {
  const found = new Map<string, Set<number>>();
  for (const { files } of coverage)
    for (const [path, lines] of Object.entries(files)) {
      if (!counts(path)) continue;
      const known = found.get(path) ?? new Set<number>();
      found.set(path, known);
      for (const line of lines) known.add(line);
    }
  return found;
}

/** A suite of so many cases is covered as a whole. */
const maxWhole = 1_000;
const maxFailing = 200;
const maxPassing = 400;

/**
 * The ids of the cases to cover; undefined for all. Of a large suite, an even share of the failing cases, and of the others,
 * first those of the same files.
 */
export function casesToCover(cases: readonly CaseResult[]): readonly string[] | undefined {
  if (cases.length <= maxWhole) return undefined;
  const failing = evenShare(
    cases.filter(c => c.status === 'failed'),
    maxFailing,
  );
  const files = new Set(failing.map(c => c.file));
  const passing = cases.filter(c => c.status === 'passed');
  const near = evenShare(
    passing.filter(c => files.has(c.file)),
    maxPassing / 2,
  );
  const far = evenShare(
    passing.filter(c => !files.has(c.file)),
    maxPassing - near.length,
  );
  return [...failing, ...near, ...far].map(c => c.id);
}

function evenShare<T>(all: readonly T[], max: number): readonly T[] {
  if (all.length <= max) return all;
  return Array.from({ length: max }, (_, i) => all[Math.floor((i * all.length) / max)] as T);
}

/** The coverage of these cases, with an entry without lines for each case that was left out. */
export function withLeftOut(
  coverage: readonly Coverage[],
  cases: readonly CaseResult[],
  chosen: readonly string[] | undefined,
): readonly Coverage[] {
  if (chosen === undefined || coverage.length === 0) return coverage;
  const covered = new Set(chosen);
  const left = cases.filter(c => !covered.has(c.id));
  return [...coverage, ...left.map(({ id, file }): Coverage => ({ id, file, files: {} }))];
}
