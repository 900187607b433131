/** The lines that each process of a test command ran, for runners that take a process for each candidate. V8 writes them at the end of every Node process, whatever started it. */
import { shellLine } from '../../ecosystems/commands/parse-command.ts';
import { thisPlatform } from '../../process/this-platform.ts';
import { parseCaseCoverage } from './channel.ts';
import {
  joinProgram,
  type RunnerContext,
  type RunnerView,
  runnerFolder,
} from './runner-context.ts';
import type { CaseResult, Coverage } from './test-runner.ts';

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

/** Runs the tests once more with V8 coverage, if one of them fails. Empty for a command that starts no Node. */
export async function linesByProcess(
  context: RunnerContext,
  { view, cases, line, timeoutMs }: EndedRun,
): Promise<readonly Coverage[]> {
  const paths = new Set(await context.files());
  const mayRunNode = [...paths].some(p => /\.[cm]?[jt]sx?$/.test(p));
  if (!mayRunNode || !cases.some(c => c.status === 'failed')) return [];
  const recording = thisPlatform.shell.naming('NODE_V8_COVERAGE', coverageFolder);
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
