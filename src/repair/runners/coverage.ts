/** The lines that cases ran: of which cases of a large suite they are recorded, and those of each process where each candidate takes one. */
import { shellLine } from '../../ecosystems/commands/parse-command.ts';
import { shell } from '../../process/shell.ts';
import { parseCaseCoverage } from './channel.ts';
import {
  joinProgram,
  type RunnerContext,
  type RunnerView,
  runnerFolder,
} from './runner-context.ts';
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

const coverageFolder = `${runnerFolder}/coverage`;
const program = `${runnerFolder}/process-lines.cjs`;
const linesPath = `${runnerFolder}/processes.jsonl`;
const programParts = ['lines/script-lines.cjs', 'lines/process-lines.cjs'];

/** A run of the tests that told how each case ends. */
interface EndedRun {
  /** The copy of the run, in which the next one can run, too. */
  readonly view: RunnerView;
  readonly cases: readonly CaseResult[];
  /** The shell line of the tests. */
  readonly line: string;
  readonly timeoutMs: number;
}

/**
 * Runs the tests once more with V8 coverage, if one of them fails: V8 writes it at the end of every Node process, whatever
 * started it. Empty for a command that starts no Node.
 */
export async function linesByProcess(
  context: RunnerContext,
  { view, cases, line, timeoutMs }: EndedRun,
): Promise<readonly Coverage[]> {
  const paths = new Set(await context.files());
  const mayRunNode = [...paths].some(p => /\.[cm]?[jt]sx?$/.test(p));
  if (!mayRunNode || !cases.some(c => c.status === 'failed')) return [];
  const recording = shell.naming('NODE_V8_COVERAGE', coverageFolder);
  await view.run(`${recording}${line}`, timeoutMs);
  await view.place(new Map([[program, joinProgram(context.runner, programParts)]]));
  await view.run(shellLine({ env: [], words: ['node', program] }), timeoutMs);
  const processes = (view.read(linesPath) ?? '').split('\n').flatMap(text => {
    const found = parseCaseCoverage(text);
    return found === undefined ? [] : [found.files];
  });
  return byTestFile(processes, cases, {
    isTest: context.isTest,
    isSource: path => paths.has(path) && !context.isTest(path),
  });
}

interface Paths {
  readonly isTest: (path: string) => boolean;
  readonly isSource: (path: string) => boolean;
}

/**
 * The lines of processes that ran tests, or of all if none did. A process counts for the cases of the test files that it
 * ran. If the report gives a failing case no file, every process counts for it. Otherwise each process whose test files
 * the report does not name counts as one of the passing cases without a file. Empty without lines of a failing case.
 */
function byTestFile(
  processes: readonly Coverage['files'][],
  cases: readonly CaseResult[],
  { isTest, isSource }: Paths,
): readonly Coverage[] {
  const reported = new Set(cases.map(c => c.file).filter(file => file !== ''));
  const failing = new Set(cases.filter(c => c.status === 'failed').map(c => c.file));
  const others = cases.filter(c => c.file === '' && c.status === 'passed').values();
  const runs = processes.map(all => ({
    tests: Object.keys(all).filter(path => reported.has(path) || isTest(path)),
    files: Object.fromEntries(
      Object.entries(all).filter(([path, lines]) => lines.length > 0 && isSource(path)),
    ),
  }));
  const ofTests = runs.filter(r => r.tests.length > 0);
  const known = ofTests.length > 0 ? ofTests : runs.map(r => ({ ...r, tests: [...reported] }));
  const found = known
    // an entry without lines would leave its case out
    .filter(({ files }) => Object.keys(files).length > 0)
    .flatMap(({ tests, files }): readonly Coverage[] => {
      const named = tests.filter(path => reported.has(path));
      const own = named.map(file => ({ id: undefined, file, files }));
      if (failing.has('')) return [...own, { id: undefined, file: '', files }];
      const other = named.length > 0 ? undefined : others.next().value;
      return other === undefined ? own : [{ id: other.id, file: '', files }];
    });
  return found.some(c => failing.has(c.file)) ? found : [];
}
