/** Finds the lines that a whole run of the tests runs, where each candidate takes a process: by V8, or by the coverage of vitest or jest. */
import * as z from 'zod';
import { parseJsonObject } from '../../ecosystems/shared/project-files.ts';
import { shell } from '../../process/shell.ts';
import { joinProgram, type RunnerContext, type RunnerView } from './runner-context.ts';
import type { Coverage } from './test-runner.ts';

const folder = '.photon-lines';
const coverage = `${folder}/coverage`;
const provider = `${folder}/vitest-lines.mjs`;
const linesPath = `${folder}/lines.json`;

const linesSchema = z.record(z.string(), z.array(z.int().positive()));

/** How the project's command is started. */
export interface TestLine {
  /** The shell line of the project. */
  readonly line: string;
  /** The words of the command, from which an ecosystem selects; undefined for a command that needs a shell. */
  readonly words: readonly string[] | undefined;
  /** A shell line that runs other words in their place. */
  lineOf(words: readonly string[]): string;
}

interface RecordedRun {
  readonly view: RunnerView;
  /** The paths whose lines are asked for. */
  readonly changed: readonly string[];
  readonly timeoutMs: number;
}

/** Runs the tests once more in this copy. Empty if that does not tell the lines, such as for a command that starts no Node. */
export async function recordLines(
  { files, runner }: Pick<RunnerContext, 'files' | 'runner'>,
  way: TestLine,
  { view, changed, timeoutMs }: RecordedRun,
): Promise<readonly Coverage[]> {
  const hasScripts = (await files()).some(path => /\.[cm]?[jt]sx?$/.test(path));
  if (!hasScripts) return [];
  const program = joinProgram(runner, ['node/ran-ranges.cjs', 'node/whole-lines.cjs']);
  await view.place(new Map([[provider, runner('node/vitest-lines.mjs')]]));
  const words = coverageWords(way.words ?? [], changed);
  await view.run(
    words === undefined
      ? `${shell.naming('NODE_V8_COVERAGE', coverage)}${recordedLine(way)}`
      : way.lineOf(words),
    timeoutMs,
  );
  const reading = ['node', '-e', program, coverage, linesPath];
  await view.run(shell.line({ env: [], words: reading }), timeoutMs);
  const found = linesSchema.safeParse(parseJsonObject(view.read(linesPath) ?? '')).data ?? {};
  await view.place(new Map([provider, linesPath].map(path => [path, undefined])));
  return Object.keys(found).length === 0 ? [] : [{ id: undefined, file: '', files: found }];
}

/** The command without a program in front that records lines itself, if it needs no shell. */
const recordedLine = ({ words, line, lineOf }: TestLine) =>
  words === undefined ? line : lineOf(words);

/** The words that make the runner record lines itself; undefined for one that runs the code as it stands. */
function coverageWords(
  words: readonly string[],
  changed: readonly string[],
): readonly string[] | undefined {
  const [program = ''] = words;
  const kept = words.filter(word => !/^--(?:coverage|collectCoverage)/.test(word));
  if (program === 'vitest')
    return [
      ...kept,
      '--coverage.enabled',
      '--coverage.provider=custom',
      `--coverage.customProviderModule=./${provider}`,
    ];
  return program === 'jest'
    ? [
        ...kept,
        '--coverage',
        '--coverageProvider=v8',
        '--coverageReporters=json',
        `--coverageDirectory=${coverage}`,
        ...changed.map(path => `--collectCoverageFrom=${path}`),
      ]
    : undefined;
}
