/** Reads a command of uvu, ava or tap: its test files as the project's own runner finds them, and the options that the thread follows. */
import * as z from 'zod';
import type { PlainCommand } from '../../ecosystems/commands/parse-command.ts';
import type { TestCase } from '../../ecosystems/shared/test-case.ts';
import { readCases } from '../../verify/reports/parse-report.ts';
import { readSummaries } from '../../verify/reports/run-summary.ts';
import { type OptionsReader, readOptions } from './read-options.ts';

/** The runners whose suites run in the thread. */
const suiteRunners = ['uvu', 'ava', 'tap'] as const;
type SuiteRunner = (typeof suiteRunners)[number];

export const isSuites = (program: string): program is SuiteRunner =>
  suiteRunners.some(runner => runner === program);

/** A command of such a runner. */
export interface SuiteCommand {
  readonly script: SuiteRunner;
  /** Empty for tap, whose real run names them. */
  readonly files: readonly string[];
  /** What the thread needs of the options. */
  readonly options: { readonly require: readonly string[] } & Readonly<Record<string, unknown>>;
  /** Options of Node for the thread. */
  readonly flags?: readonly string[];
  /** Assignments of environment variables. */
  readonly env?: readonly string[];
}

/** `refused` if the thread would not follow the command. */
export type ReadSuites = SuiteCommand | { readonly refused: string };

const filesSchema = z.array(z.string()).min(1);
const uvuSchema = z.object({
  options: z.record(z.string(), z.array(z.string())),
  files: filesSchema,
});
const avaSchema = z.object({
  options: z.looseObject({
    snapshotDir: z.string().optional(),
    failWithoutAssertions: z.boolean().optional(),
    nodeArguments: z.array(z.string()).default([]),
    environmentVariables: z.record(z.string(), z.string()).default({}),
  }),
  files: filesSchema,
  elsewhere: z.boolean(),
});

/** Reads a command of uvu, ava or tap; null for another one, and if it cannot be read. */
export async function readSuites(
  reader: OptionsReader,
  plain: PlainCommand,
): Promise<ReadSuites | null> {
  const [program = '', ...words] = plain.words;
  if (!isSuites(program)) return null;
  if (program === 'uvu') return readUvu(reader, plain);
  if (program === 'ava') return readAva(reader, plain);
  const foreign = words.find(w => /^--(?:before|after|grep|only|reporter-file)\b/.test(w));
  if (foreign !== undefined) return { refused: `of its argument "${foreign}"` };
  return { script: 'tap', files: [], options: { require: [] } };
}

/** What a real run of one of these runners showed; null if the output does not hold it. */
export interface SuiteRun {
  /** Numbers of tests, or of assertions of tap. */
  readonly points: { readonly passed: number; readonly failed: number };
  /** The test files, if the output names them. */
  readonly files?: readonly string[];
}

/** True if the runner itself ended tests that take too long: ava after ten seconds, tap after thirty. */
export function ranOutOfTime(script: SuiteRunner, output: string): boolean {
  if (script === 'ava') return /^ {2}✘ Timed out while running tests/m.test(output);
  return script === 'tap' && /^ *not ok \d+ - timeout!/m.test(output);
}

/** Reads the output of a real run. */
export async function readSuiteRun(script: SuiteRunner, output: string): Promise<SuiteRun | null> {
  if (script === 'uvu') {
    const seen = readSummaries(output).find(s => s.runner === 'uvu');
    if (seen === undefined) return null;
    return { points: { passed: seen.ran - seen.failed, failed: seen.failed } };
  }
  if (script === 'tap') {
    const counts = /^# \{[^}]*\}/m.exec(output)?.[0];
    if (counts === undefined) return null;
    const count = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(counts)?.[1] ?? 0);
    const files = [...output.matchAll(/^# Subtest: (.+)$/gm)].map(([, path = '']) => path);
    return { points: { passed: count('pass'), failed: count('fail') }, files };
  }
  const cases = (await readCases(output)) ?? [];
  return cases.length === 0 ? null : { points: pointsIn(cases) };
}

/** The numbers of cases that passed and failed. */
export function pointsIn(cases: readonly Pick<TestCase, 'status'>[]): SuiteRun['points'] {
  const count = (status: TestCase['status']) => cases.filter(c => c.status === status).length;
  return { passed: count('passed'), failed: count('failed') };
}

const uvuOptions = new Set(['bail', 'ignore', 'require', 'cwd', 'color', 'no-color']);

async function readUvu(reader: OptionsReader, plain: PlainCommand): Promise<ReadSuites | null> {
  const read = await readOptions(reader, plain, { name: 'uvu-options.cjs', schema: uvuSchema });
  if (read === null) return null;
  const foreign = Object.keys(read.options).find(name => !uvuOptions.has(name));
  if (foreign !== undefined) return { refused: `of its option "${foreign}"` };
  return { script: 'uvu', files: read.files, options: { require: read.options.require ?? [] } };
}

/** Options of ava that change only what it prints, or how many tests run at the same time. */
const avaFlags =
  /^(?:--(?:verbose|tap|serial|fail-fast|(?:no-)?(?:worker-threads|color)|(?:concurrency|timeout)=\S+)|-[vts])$/;
const avaValued = /^(?:--concurrency|--timeout|-c|-T)$/;
const avaConfiguration = new Set(
  `files configFile watchMode concurrency failFast serial tap verbose timeout cache workerThreads failWithoutAssertions snapshotDir
    utilizeParallelBuilds nonSemVerExperiments sortTestFiles extensions nodeArguments environmentVariables`.split(
    /\s+/,
  ),
);

async function readAva(reader: OptionsReader, plain: PlainCommand): Promise<ReadSuites | null> {
  const words = plain.words.slice(1).filter((_, i, all) => !avaValued.test(all[i - 1] ?? ''));
  const foreignWord = words.find(w => !avaFlags.test(w) && !avaValued.test(w));
  if (foreignWord !== undefined) return { refused: `of its argument "${foreignWord}"` };
  const read = await readOptions(reader, plain, { name: 'ava-options.cjs', schema: avaSchema });
  if (read === null) return null;
  const { options, files, elsewhere } = read;
  const foreign = Object.entries(options).find(
    ([name, value]) => !avaConfiguration.has(name) && isSet(value),
  );
  if (elsewhere) return { refused: 'its configuration is in another folder' };
  if (foreign !== undefined) return { refused: `of its option "${foreign[0]}"` };
  const { snapshotDir, failWithoutAssertions, nodeArguments, environmentVariables } = options;
  return {
    script: 'ava',
    files,
    options: { require: [], snapshotDir, failWithoutAssertions },
    flags: nodeArguments,
    env: Object.entries(environmentVariables).map(([name, value]) => `${name}=${value}`),
  };
}

const isSet = (value: unknown) =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
