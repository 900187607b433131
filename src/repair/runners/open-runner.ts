/** Opens the test runner adapter that fits the test command; the first that fits is used. */
import { asObject } from '../../base/schema-issue.ts';
import {
  followCommand,
  type PlainCommand,
  plainCommand,
} from '../../ecosystems/commands/parse-command.ts';
import { findTestStage, type TestStage } from '../../ecosystems/commands/stages.ts';
import { parseJsonObject } from '../../ecosystems/shared/project-files.ts';
import { shell } from '../../process/shell.ts';
import { openGo } from './adapters/go.ts';
import { openJson } from './adapters/json.ts';
import { openScripts, parseScripts } from './adapters/node-scripts.ts';
import { openNodeTest } from './adapters/node-test.ts';
import { openPython } from './adapters/python.ts';
import { openReport } from './adapters/report.ts';
import { type KeptAdapter, keepRunners } from './keep-runners.ts';
import type { Stop } from './obstacles.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import type { RunnerAdapter } from './test-runner.ts';

type OpenRunner = (
  context: RunnerContext,
  plain: PlainCommand,
) => Promise<RunnerAdapter | Stop | undefined>;

const runners: readonly OpenRunner[] = [openNodeTest, openPython, openScripts, openJson, openGo];

/** The adapter, or why there is none and what to set. */
type RunnerChoice = { readonly adapter: KeptAdapter } | Stop;

/**
 * Opens an adapter, or explains why the result of each test case cannot be read. What the test command builds before
 * the tests is built for each candidate, so that no test runs the output of another text.
 */
export async function openRunner(context: RunnerContext): Promise<RunnerChoice> {
  // nobody else knows what an adapter opened before it failed, such as when the time is up
  const ends = new Set<() => void>();
  let isOpening = true;
  const open = async (): Promise<RunnerView> => {
    const view = await context.open();
    if (!isOpening) return view;
    ends.add(() => view.close());
    const start: RunnerView['start'] = argv => {
      const running = view.start(argv);
      ends.add(() => running.stop());
      return running;
    };
    return { ...view, start };
  };
  try {
    return await openFirst({ ...context, open });
  } catch (error) {
    for (const end of ends) end();
    throw error;
  } finally {
    isOpening = false;
    ends.clear();
  }
}

async function openFirst(context: RunnerContext): Promise<RunnerChoice> {
  // the runs of an adapter leave a processor idle at times, and the search needs all of them
  const baseline = context.copies > 1 ? context.baseline : undefined;
  baseline?.().catch(() => {}); // the verification gets the error
  const given = context.testCommand ?? '';
  const manifest = await context.text('package.json');
  const stage = findTestStage(given, manifest);
  const { command, build, builds } = stage ?? { command: given, build: '', builds: [] };
  const emits = findCompilerConfigs(builds, manifest);
  if (builds.length > 0 && emits === undefined)
    context.log(`Repair: before the tests of each candidate runs ${builds.join(' && ')}.`);
  const isWhole = stage !== undefined && stage.line === given;
  const seen = { ...context, baseline: isWhole ? baseline : undefined };
  const built =
    build === '' ? seen : { ...context, build, open: () => openBuilt(context, build), emits };
  const plain = plainCommand(command, manifest);
  const mayFit = plain?.front === undefined ? runners : [openPython];
  for (const open of plain === undefined ? [] : mayFit) {
    const opened = plain === undefined ? undefined : await open(built, plain);
    if (opened !== undefined)
      return 'stop' in opened ? opened : { adapter: keepRunners(opened, context.log) };
  }
  const { script, files = [] } =
    (plain !== undefined && parseScripts(plain, await context.files())) || {};
  const whole = await openReport(
    { ...built, testCommand: wholeLine(given, stage) },
    script === 'node' ? files[0] : '',
  );
  if (whole === undefined) return { stop: adviceFor(given, manifest) };
  return 'stop' in whole ? whole : { adapter: keepRunners(whole, context.log) };
}

/** The command itself, or the stage that runs its tests, without the checks in front of it. */
function wholeLine(given: string, stage: TestStage | undefined): string {
  return stage === undefined || stage.build === '' ? given : stage.line;
}

/** A view in which each line runs after the build, whose output shows only if it fails. */
async function openBuilt(context: RunnerContext, build: string): Promise<RunnerView> {
  const view = await context.open();
  const before = shell.building(build);
  return { ...view, run: (line, timeoutMs) => view.run(`${before}${line}`, timeoutMs) };
}

const known =
  'node --test, vitest, jest, mocha, ava, tap, uvu, pytest, python -m unittest, go test, or another one whose output names each case';
const otherwise =
  'or make the command write a JUnit report and set verify.report in .photon/config.json to its path';

/** The oldest major versions that were tried, by the name of the package. */
const oldest = { vitest: 3, jest: 27 } as const;

/** Says which version of a runner is too old, by the manifest; empty if none is. */
function findOlder(manifest: string | undefined): string {
  const { dependencies, devDependencies } = parseJsonObject(manifest ?? '');
  const named = { ...asObject(dependencies), ...asObject(devDependencies) };
  for (const [name, least] of Object.entries(oldest)) {
    const range = String(named[name] ?? '');
    const major = /^[\^~>=v ]{0,4}(\d+)(?:\.|$)/.exec(range)?.[1];
    if (major !== undefined && Number(major) < least)
      return ` It reads ${name} from version ${least}, and package.json asks for ${range.slice(0, 20)}.`;
  }
  return '';
}

/** Explains what to set if the result of each case cannot be read. At most 900 characters. */
export function adviceFor(command: string, manifest: string | undefined): string {
  const followed = followCommand(command, manifest);
  const behind = 'plain' in followed ? command : followed.shell;
  const from = behind === command ? '' : ` ("${command.slice(0, 100)}")`;
  const older = findOlder(manifest);
  return `The embedded engine cannot read the result of each test from "${behind.slice(0, 200)}"${from}.${older} Set test-command to commands that && joins, one of which runs ${known}, ${otherwise}.`;
}

/** Programs that a build starts beside the compiler, and that change no output of it. */
const besides = /^(?:rimraf|rm|del|del-cli|mkdir|mkdirp|shx|cp|cpx|cpy|copyfiles|echo|chmod)$/;

/**
 * The configurations of the TypeScript compiler that the stages of a build name; undefined if they do anything else that may
 * change what the tests run.
 */
export function findCompilerConfigs(
  builds: readonly string[],
  manifest: string | undefined,
): readonly string[] | undefined {
  const configs: string[] = [];
  for (const build of builds) {
    const [program = '', ...words] = plainCommand(build, manifest)?.words ?? [];
    if (besides.test(program)) continue;
    const config = program === 'tsc' ? findConfig(words) : undefined;
    if (config === undefined) return undefined;
    configs.push(config);
  }
  return configs.length === 0 ? undefined : configs;
}

/** The configuration that `tsc` with these arguments reads; undefined if they change more. */
function findConfig(words: readonly string[]): string | undefined {
  const [option, path, ...more] = words.filter(w => !/^--(?:pretty|noCheck|skipLibCheck)$/.test(w));
  if (option === undefined) return 'tsconfig.json';
  const named = option === '-p' || option === '--project';
  if (!named || path === undefined || more.length > 0) return undefined;
  return path.endsWith('.json') ? path : `${path.replace(/(?<!\/)\/+$/, '')}/tsconfig.json`;
}
