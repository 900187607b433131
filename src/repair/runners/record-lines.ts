/** Records the lines of the project that a run of its tests runs: by V8, by the coverage of vitest or jest, or by Python's trace. */
import * as z from 'zod';
import { parseJsonObject } from '../../ecosystems/shared/project-files.ts';
import { shell } from '../../process/shell.ts';
import type { CommandEnd } from '../../sandbox/sandbox.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import type { Lines } from './test-runner.ts';
import type { TestWay } from './test-way.ts';

const folder = '.photon-lines';
const coverage = `${folder}/coverage`;
const provider = `${folder}/vitest-lines.mjs`;
const linesPath = `${folder}/lines.json`;

const linesSchema = z.record(z.string(), z.array(z.int().nonnegative()));

interface RecordedRun {
  readonly view: RunnerView;
  /** The words to run; undefined for the line of the project as it stands. */
  readonly words: readonly string[] | undefined;
  /** Functions of Python below which nothing is recorded. */
  readonly leftOut: readonly string[];
  readonly timeoutMs: number;
}

/** Runs the tests in this copy. No lines if that does not tell them, such as for a command in another language. */
export async function recordLines(
  { files, runner }: Pick<RunnerContext, 'files' | 'runner'>,
  way: TestWay,
  { view, words, leftOut, timeoutMs }: RecordedRun,
): Promise<{ readonly end: CommandEnd; readonly lines: Lines }> {
  const sources = await files();
  const isPython = sources.some(path => path.endsWith('.py'));
  const isScript = sources.some(path => /\.[cm]?[jt]sx?$/.test(path));
  const placed = new Map([
    [provider, runner('node/vitest-lines.mjs')],
    [`${folder}/sitecustomize.py`, runner('python/sitecustomize.py')],
  ]);
  await view.place(placed);
  const own = coverageWords(words ?? []);
  const before = [
    isScript && own === undefined ? shell.naming('NODE_V8_COVERAGE', coverage) : '',
    isPython
      ? `export PHOTON_LEFT_OUT=${leftOut.join(',')} PYTHONPATH="$PWD/${folder}\${PYTHONPATH:+:$PYTHONPATH}"\n`
      : '',
  ];
  const selected = own ?? words;
  const line = selected === undefined ? way.line : way.lineOf(selected);
  const end = await view.run(before.join('') + line, timeoutMs);
  if (isScript) {
    const reading = ['node', '-e', runner('node/lines.cjs'), coverage, linesPath];
    await view.run(shell.line({ env: [], words: reading }), timeoutMs);
  }
  const found = linesSchema.safeParse(parseJsonObject(view.read(linesPath) ?? '')).data ?? {};
  await view.place(new Map([...placed.keys(), linesPath].map(path => [path, undefined])));
  return { end, lines: new Map(Object.entries(found).map(([path, all]) => [path, new Set(all)])) };
}

/** The words that make the runner record lines itself; undefined for one that runs the code as it stands. */
function coverageWords(words: readonly string[]): readonly string[] | undefined {
  const [program = ''] = words;
  const kept = words.filter(word => !/^--(?:coverage|collectCoverage)/.test(word));
  if (program === 'vitest')
    return [
      ...kept,
      '--coverage.enabled',
      '--coverage.provider=custom',
      `--coverage.customProviderModule=./${provider}`,
    ];
  const json = ['v8', 'json', coverage].map(
    (value, i) => `--coverage${['Provider', 'Reporters', 'Directory'][i]}=${value}`,
  );
  return program === 'jest' ? [...kept, '--coverage', ...json] : undefined;
}
