/** Localises the fault: the lines that the failing cases ran, and of these the ones that no other case ran first. Pure. */
import type { CaseResult, RanLines, SourceLine } from '../runners/test-runner.ts';

/** A line with its suspicion, in (0, 1]. */
export interface Suspect extends SourceLine {
  readonly score: number;
}

/** Suspicion of a line that only failing cases ran, and of one that others ran, too. */
const scores = { alone: 0.75, shared: 0.5 } as const;
/** Added for the line at the top of a failure's stack. */
const frameBonus = 0.25;

interface TestObservations {
  readonly failed: readonly CaseResult[];
  readonly ran: RanLines;
  /** True for a path that a repair may change. */
  readonly mayChange: (path: string) => boolean;
}

/** Lines that failing cases ran, or on which one failed, most suspicious first. */
export function localise({ failed, ran, mayChange }: TestObservations): readonly Suspect[] {
  const keyOf = ({ path, line }: SourceLine) => `${path}\0${line}`;
  const suspects = new Map<string, Suspect>();
  for (const [path, lines] of ran.failing) {
    if (!mayChange(path)) continue;
    for (const line of lines) {
      const score = ran.others.get(path)?.has(line) ? scores.shared : scores.alone;
      suspects.set(keyOf({ path, line }), { path, line, score });
    }
  }
  // the first line of the project's own code on the stack of each failure
  const tops = failed.flatMap(c => (c.frames ?? []).filter(f => mayChange(f.path)).slice(0, 1));
  for (const [key, { path, line }] of new Map(tops.map(top => [keyOf(top), top])))
    suspects.set(key, { path, line, score: (suspects.get(key)?.score ?? 0) + frameBonus });
  return [...suspects.values()].sort((a, b) => b.score - a.score || order(a, b));
}

const order = (a: SourceLine, b: SourceLine) =>
  a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;

/** Suspicion of a line without further evidence. */
const plainScore = 0.3;
const maxFiles = 5;

/** True for a line that has code: neither blank, nor brackets alone, nor a comment, nor the first one of a docstring. */
export function hasCode(line: string): boolean {
  return /\w/.test(line) && !/^\s*(?:\/\/|\*|\/\*|[ru]?(?:"""|''')|#(?!\w+\s*[=(;]))/.test(line);
}

/** Every line of code in these files, all with the same suspicion. */
export function evenSuspects(texts: ReadonlyMap<string, string>): readonly Suspect[] {
  return [...texts]
    .slice(0, maxFiles)
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, i) =>
          hasCode(line) && !/^\s*(?:#|import\b|from\b)/.test(line)
            ? [{ path, line: i + 1, score: plainScore }]
            : [],
        ),
    );
}
