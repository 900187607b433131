/** Investigates failing tests: runs them, localises the fault, makes candidates and searches for a repair. */
import { wasLate } from '../testing/runners/agree.ts';
import { openRunner } from '../testing/runners/open-runner.ts';
import type { CaseResult, RunnerAdapter, SourceLine } from '../testing/runners/test-runner.ts';
import { type Candidate, candidatesOf, rankCandidates, sourcesOf } from './candidates.ts';
import { type Choice, rankSurvivors } from './choose.ts';
import { headerLines, withoutHeaders } from './header-lines.ts';
import { languageAdapterOf } from './languages.ts';
import { localise, type Suspect } from './localise.ts';
import type { RepairContext } from './repair-context.ts';
import { type Rivals, tryRivals } from './rivals.ts';
import { symbolAt } from './scope.ts';
import { type SearchResult, search } from './search.ts';
import { evenSuspects, importedBy } from './suspect-imports.ts';

/** The failing tests, and the suspicious lines. */
export interface Diagnosis {
  readonly adapter: RunnerAdapter;
  readonly failed: readonly CaseResult[];
  readonly passed: number;
  readonly suspects: readonly Suspect[];
  /** Texts of the suspected files. */
  readonly textOf: ReadonlyMap<string, string>;
}

export type DiagnosisResult = { readonly diagnosis: Diagnosis } | { readonly stop: string };

const maxSuspects = 400;
const maxFiles = 20;

/** Runs the tests and localises the fault. `stop` explains why there is nothing to search. */
export async function diagnose(context: RepairContext): Promise<DiagnosisResult> {
  if (context.testCommand === null)
    return {
      stop: 'Verification is waived, but the embedded engine needs a test command to check its repairs.',
    };
  const opened = await openRunner(context);
  if ('stop' in opened) return opened;
  const { adapter } = opened;
  const failed = adapter.base.filter(c => c.status === 'failed');
  const passed = adapter.base.filter(c => c.status === 'passed').length;
  if (failed.length === 0) {
    adapter.close();
    return {
      stop: `No test fails (${passed} pass), so there is nothing to repair.`,
    };
  }
  if (wasLate({ ended: 'done', cases: failed })) context.testsNeverEnd();
  const copies = `${context.copies} ${context.copies === 1 ? 'copy' : 'copies'}`;
  context.log(
    `Repair: ${adapter.name}, in ${copies}; ${failed.length} of ${failed.length + passed} tests fail.`,
  );
  const all = await suspectsOf(context, adapter);
  const paths = [...new Set(all.map(s => s.path))].slice(0, maxFiles);
  const texts = await Promise.all(paths.map(async p => [p, await context.text(p)] as const));
  const textOf = new Map(texts.flatMap(([p, text]) => (text === null ? [] : [[p, text] as const])));
  const headers = new Map<string, ReadonlySet<number>>();
  for (const [path, text] of textOf) {
    const language = languageAdapterOf(path);
    const found =
      language && (await context.withTree(path, text, root => headerLines(root, language)));
    if (found) headers.set(path, found);
  }
  const inFiles = all.filter(s => paths.includes(s.path));
  const suspects = withoutHeaders(inFiles, headers).slice(0, maxSuspects);
  return { diagnosis: { adapter, failed, passed, suspects, textOf } };
}

/** Suspects by the lines that ran, or, without them, by the imports and stack traces of failing tests. */
async function suspectsOf(
  context: RepairContext,
  adapter: RunnerAdapter,
): Promise<readonly Suspect[]> {
  const paths = await context.files();
  const mayChange = (path: string) => context.mayChange(path) && isSource(path);
  const cases = adapter.base.map(c => ({
    ...c,
    frames: (c.frames ?? []).map(f => ownPlace(f, paths)),
  }));
  const known = localise({ cases, coverage: adapter.coverage, mayChange });
  if (adapter.coverage.length > 0) return known;
  const failing = new Set(
    cases.filter(c => c.status === 'failed').map(c => ownPath(c.file, paths)),
  );
  const tests = failing.has('') ? paths.filter(p => context.isTest(p)) : [...failing];
  const texts = new Map<string, string>();
  for (const test of tests.slice(0, maxFiles))
    for (const path of importedBy(test, (await context.text(test)) ?? '', paths.filter(mayChange)))
      texts.set(path, (await context.text(path)) ?? '');
  const thrown = new Set(known.map(s => `${s.path}:${s.line}`));
  const even = evenSuspects(texts).filter(s => !thrown.has(`${s.path}:${s.line}`));
  return [...known.map(s => ({ ...s, score: 1 })), ...even];
}

/** True for a language in which the engine localises faults; it may make no edits in it. */
function isSource(path: string): boolean {
  return languageAdapterOf(path) !== null || /\.go$/.test(path);
}

/** The path of the project with which an absolute path ends; empty for other paths. */
function ownPath(path: string, paths: readonly string[]): string {
  if (!path.startsWith('/')) return path;
  return paths.find(p => path.endsWith(`/${p}`)) ?? '';
}

const ownPlace = (place: SourceLine, paths: readonly string[]): SourceLine => ({
  ...place,
  path: ownPath(place.path, paths),
});

/** The result of the search. */
export interface RepairResult extends SearchResult {
  readonly choices: readonly Choice[];
  /** Small changes of the first choice. */
  readonly rivals: Rivals;
}

/** Makes the candidates and tries them. */
export async function findRepairs(
  context: RepairContext,
  { adapter, suspects, textOf }: Diagnosis,
  deadline: number,
): Promise<RepairResult> {
  const made: Candidate[] = [];
  for (const source of sourcesOf(suspects, textOf))
    made.push(
      ...((await context.withTree(source.path, source.text, root => candidatesOf(source, root))) ??
        []),
    );
  const candidates = rankCandidates(made, textOf);
  context.log(`Repair: ${candidates.length} candidates in ${textOf.size} files.`);
  const result = await search({ context, adapter, candidates, textOf, deadline });
  const rate = result.tried / Math.max(0.001, result.milliseconds / 1000);
  context.log(
    `Repair: tried ${result.tried} candidates (${rate.toFixed(0)} per second); ${result.survivors.length} pass all tests.`,
  );
  const choices = await withSymbols(context, rankSurvivors(result.survivors, textOf), textOf);
  const first = choices[0]?.candidate;
  if (first === undefined) return { ...result, choices, rivals: { tried: 0, passed: [] } };
  const text = textOf.get(first.path) ?? '';
  const rivals = await tryRivals({ context, adapter, candidate: first, text, deadline });
  context.log(
    `Repair: ${rivals.passed.length} of ${rivals.tried} small changes to the repaired lines also pass all tests.`,
  );
  return { ...result, choices, rivals };
}

/** The choices with the names of the functions that they change. */
async function withSymbols(
  context: RepairContext,
  choices: readonly Choice[],
  textOf: ReadonlyMap<string, string>,
): Promise<readonly Choice[]> {
  const symbols = new Map<Choice, string>();
  for (const path of new Set(choices.map(c => c.candidate.path))) {
    const language = languageAdapterOf(path);
    if (language === null) continue;
    await context.withTree(path, textOf.get(path) ?? '', root => {
      for (const choice of choices.filter(c => c.candidate.path === path))
        symbols.set(choice, symbolAt(root, choice.candidate.edits[0]?.start ?? 0, language));
    });
  }
  return choices.map(c => ({ ...c, symbol: symbols.get(c) ?? '' }));
}
