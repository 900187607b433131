/** Small changes of the changed lines, as mutation testing makes them: does a test notice? */
import { once } from 'node:events';
import type { Node } from 'web-tree-sitter';
import type { SurvivingMutant } from '../../base/findings.ts';
import { rankCandidates } from '../candidates/candidate-pool.ts';
import { type Candidate, type Source, streamCandidates } from '../candidates/candidates.ts';
import { applyTextEdits, getEditRange } from '../candidates/edit.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { RunnerAdapter } from '../runners/test-runner.ts';
import { inCopies } from '../search/in-copies.ts';
import { tryOne } from '../search/search.ts';
import type { ChangedCode } from './hunks.ts';
import { operators } from './operators.ts';

/** How many changes of one line are tried, and how many of a file. */
const maxOfLine = 12;
const maxOfFile = 60;
/** How many are tried in all. */
const maxTried = 40;

interface Mutant {
  readonly candidate: Candidate;
  readonly file: ChangedCode;
}

/** What the changes of the lines showed. */
export interface MutationResult {
  readonly tried: number;
  readonly survived: readonly SurvivingMutant[];
  /** Lines of which a test noticed a change, by path. */
  readonly noticed: ReadonlyMap<string, ReadonlySet<number>>;
  /** True if some were left out for lack of time. */
  readonly isCut: boolean;
}

/** Mutants of the lines that tests run, one of each line first. */
async function makeMutants(
  context: RepairContext,
  files: readonly ChangedCode[],
  isExecuted: (path: string, line: number) => boolean,
): Promise<readonly Mutant[]> {
  const rounds: Mutant[][] = Array.from({ length: maxOfLine }, () => []);
  for (const file of files) {
    const lines = new Map(
      file.lines.filter(l => isExecuted(file.path, l)).map(l => [l, 1] as const),
    );
    const source = { path: file.path, text: file.text, lines };
    const made = await context.withTree(file.path, file.text, root => listMutants(source, root));
    const count = new Map<number, number>();
    for (const candidate of made ?? []) {
      const known = count.get(candidate.line) ?? 0;
      const isBase = applyTextEdits(file.text, candidate.edits) === file.before;
      if (known >= maxOfLine || isBase || !lines.has(candidate.line)) continue;
      count.set(candidate.line, known + 1);
      rounds[known]?.push({ candidate, file });
    }
  }
  return rounds.flat();
}

/** The changes of the suspicious lines of a text; `root` is its tree. */
export function listMutants(source: Source, root: Node): readonly Candidate[] {
  const made = streamCandidates({ source, root, kinds: operators });
  return rankCandidates(made, new Map([[source.path, source.text]]), maxOfFile);
}

interface MutationOptions {
  readonly context: RepairContext;
  readonly adapter: RunnerAdapter;
  readonly files: readonly ChangedCode[];
  readonly isExecuted: (path: string, line: number) => boolean;
}

/** Tries the mutants until the deadline of the context. */
export async function tryMutants(options: MutationOptions): Promise<MutationResult> {
  const { context, adapter, files } = options;
  const all = await makeMutants(context, files, options.isExecuted);
  const mutants = all.slice(0, maxTried);
  const textOf = new Map(files.map(f => [f.path, f.text]));
  const { deadline } = context;
  const tried = new Map<Mutant, boolean>();
  const trying = inCopies({ context, adapter, deadline }, mutants, async (runner, mutant) => {
    tried.set(mutant, (await tryOne(runner, mutant.candidate, { adapter, textOf })).survived);
  });
  await untilAborted(context.signal, trying);
  const noticed = new Map<string, Set<number>>();
  const passed: Mutant[] = [];
  for (const mutant of mutants) {
    const survived = tried.get(mutant);
    if (survived === undefined) continue;
    const { path, line } = mutant.candidate;
    if (survived) passed.push(mutant);
    else noticed.set(path, (noticed.get(path) ?? new Set()).add(line));
  }
  const isCut = tried.size < all.length;
  return { tried: tried.size, survived: passed.map(describeSurvivor), noticed, isCut };
}

const maxShown = 200;

function describeSurvivor({ candidate, file }: Mutant): SurvivingMutant {
  const { path, line, edits, template } = candidate;
  const { start, end } = getEditRange(edits);
  const changed = applyTextEdits(file.text, edits);
  const lineStart = file.text.lastIndexOf('\n', start - 1) + 1;
  const stop = file.text.indexOf('\n', end);
  const lineEnd = stop < 0 ? file.text.length : stop;
  const after = changed.slice(lineStart, lineEnd + changed.length - file.text.length);
  return {
    path,
    line,
    kind: template.title,
    before: file.text.slice(lineStart, lineEnd).trim().slice(0, maxShown),
    after: after.trim().slice(0, maxShown),
  };
}

/** The result of some work; undefined as soon as the signal aborts, since not all work hears of that at once. */
export async function untilAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  if (signal.aborted) {
    work.catch(() => {});
    return undefined;
  }
  const over = new AbortController();
  const aborted = once(signal, 'abort', over).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([work.then(result => ({ result })), aborted]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  } finally {
    over.abort();
  }
}
