/** Investigates failing tests: runs them, localises the fault, makes candidates and searches for a repair. */
import { countFailing, plural } from '../base/plural.ts';
import { importedBy } from '../ecosystems/shared/select.ts';
import { plainText } from '../verify/reports/run-summary.ts';
import { openPool } from './candidates/candidate-pool.ts';
import { groupSources, streamCandidates } from './candidates/candidates.ts';
import { symbolAt } from './candidates/scope.ts';
import { type Choice, chooseByMeaning } from './choose.ts';
import { findLanguageAdapter } from './languages/index.ts';
import { evenSuspects, localise, type Suspect } from './localise/localise.ts';
import { openRunner } from './runners/open-runner.ts';
import { countPassed } from './runners/read-cases.ts';
import {
  type BaselineEnd,
  openOwnPaths,
  type RepairContext,
  readTexts,
} from './runners/runner-context.ts';
import type { CaseResult, RunnerAdapter } from './runners/test-runner.ts';
import { formatRate, type SearchResult, type Survivor, search } from './search/search.ts';
import { maxCandidates } from './search/search-limit.ts';

/** The failing tests, and the suspicious lines. */
export interface Diagnosis {
  readonly adapter: RunnerAdapter;
  readonly failed: readonly CaseResult[];
  readonly passed: number;
  readonly suspects: readonly Suspect[];
  /** Texts of the suspected files. */
  readonly textOf: ReadonlyMap<string, string>;
}

/** A diagnosis, or why it is missing; `passes` if no test fails. */
type DiagnosisResult =
  | { readonly diagnosis: Diagnosis }
  | { readonly stop: string; readonly passes?: boolean };

const maxSuspects = 1000;
const maxFiles = 20;

/** Runs the tests and localises the fault. `stop` explains why there is nothing to search. */
export async function diagnose(context: RepairContext): Promise<DiagnosisResult> {
  if (context.testCommand === undefined)
    return {
      stop: 'Verification is waived, but the embedded engine needs a test command to check its repairs.',
    };
  const adapter = await openRunner(context);
  if ('stop' in adapter) return adapter;
  const failed = adapter.base.filter(c => c.status === 'failed');
  const passed = countPassed(adapter.base);
  if (failed.length === 0) return { stop: await explainWhole(context, passed), passes: true };
  const copies = `${context.copies} ${context.copies === 1 ? 'copy' : 'copies'}`;
  context.log(`Repair: ${adapter.name}, in ${copies}; ${countFailing(failed.length, passed)}.`);
  const all = await findSuspects(context, adapter);
  const paths = [...new Set(all.map(s => s.path))].slice(0, maxFiles);
  const suspects = all.filter(s => paths.includes(s.path)).slice(0, maxSuspects);
  const textOf = new Map<string, string>();
  // the last files may have lost all their lines to the limit
  for (const [path, text] of await readTexts(context, paths))
    if (text !== undefined && suspects.some(s => s.path === path)) textOf.set(path, text);
  return { diagnosis: { adapter, failed, passed, suspects, textOf } };
}

/** Why there is nothing to search where no test fails: nothing fails, or another part of the test command does. */
export function explainPassing(passed: number, end: BaselineEnd | undefined): string {
  if (end === undefined || end.exitCode === 0)
    return `No test fails (${passed} pass), so there is nothing to repair.`;
  const lines = plainText(end.output)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  const words = lines.find(line => /\berror\b/i.test(line)) ?? lines.at(-1) ?? '';
  return `No test fails (${passed} pass), but the test command does: ${words.slice(0, 300)}`;
}

/** Asks the run of the whole command, which has more stages than the tests. */
async function explainWhole(context: RepairContext, passed: number): Promise<string> {
  // the verification gets the error
  return explainPassing(passed, await context.baseline?.().catch(() => undefined));
}

/** Suspects by the lines that ran, or, without them, by the imports and stack traces of failing tests. */
async function findSuspects(
  context: RepairContext,
  { base, ran }: RunnerAdapter,
): Promise<readonly Suspect[]> {
  const paths = await context.files();
  const ownPath = openOwnPaths(paths);
  const testFiles = new Set(base.map(c => ownPath(c.file)));
  const mayChange = (path: string) =>
    path !== '' &&
    !testFiles.has(path) &&
    context.mayChange(path) &&
    findLanguageAdapter(path) !== undefined;
  const failed = base.filter(c => c.status === 'failed');
  const known = localise({ failed, ran, mayChange });
  // a case may fail before it runs a line of the code under test
  if (ran.failing.size > 0 && known.length > 0) return known;
  const failing = new Set(failed.map(c => ownPath(c.file)));
  const tests = failing.has('') ? paths.filter(p => context.isTest(p)) : [...failing];
  const texts = new Map<string, string>();
  for (const test of tests.slice(0, maxFiles))
    for (const path of importedBy(test, (await context.text(test)) ?? '', paths.filter(mayChange)))
      texts.set(path, (await context.text(path)) ?? '');
  const sure = known.map(s => ({ ...s, score: 1 }));
  const isNew = (s: Suspect) => !sure.some(({ path, line }) => path === s.path && line === s.line);
  return [...sure, ...evenSuspects(texts).filter(isNew)];
}

/** The result of the search. */
export interface RepairResult extends SearchResult {
  /** The edits of different meaning that pass all tests, best first. */
  readonly choices: readonly Choice[];
}

/** Makes the candidates and tries them, until the deadline of the context. */
export async function findRepairs(
  context: RepairContext,
  { adapter, suspects, textOf }: Diagnosis,
): Promise<RepairResult> {
  const { deadline } = context;
  const isOver = () => context.signal.aborted || context.now() >= deadline;
  const pool = openPool(maxCandidates, textOf);
  const bounds = { floor: pool.floor, ended: isOver };
  for (const source of groupSources(suspects, textOf)) {
    if (isOver()) break;
    await context.withTree(source.path, source.text, root => {
      // the stream is read here, because the tree is freed afterwards
      for (const made of streamCandidates({ source, root }, bounds)) pool.add(made);
    });
  }
  const candidates = pool.ranked();
  context.log(
    `Repair: ${plural(candidates.length, 'candidate')} in ${plural(textOf.size, 'file')}.`,
  );
  const result = await search({ context, adapter, candidates, textOf, deadline });
  const rate = result.tried / Math.max(0.001, result.milliseconds / 1000);
  const different = await chooseByMeaning(context, result.survivors, textOf);
  context.log(
    `Repair: tried ${plural(result.tried, 'candidate')} (${formatRate(rate)} per second); ${result.survivors.length} pass all tests${different.length > 1 ? `, and ${different.length} differ in meaning` : ''}.`,
  );
  return { ...result, choices: await withSymbols(context, different, textOf) };
}

/** The survivors with the names of the functions that they change. */
async function withSymbols(
  context: RepairContext,
  survivors: readonly Survivor[],
  textOf: ReadonlyMap<string, string>,
): Promise<readonly Choice[]> {
  const named = survivors.map(async survivor => {
    const { path, edits } = survivor.candidate;
    const language = findLanguageAdapter(path);
    const symbol = await context.withTree(path, textOf.get(path) ?? '', root =>
      language === undefined ? '' : symbolAt(root, edits[0]?.start ?? 0, language),
    );
    return { ...survivor, symbol: symbol ?? '' };
  });
  return Promise.all(named);
}
