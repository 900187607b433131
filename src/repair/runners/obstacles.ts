/** Finds what keeps a search for repairs from starting, in the first run of the tests. Pure; outputs are untrusted. */

import type { RunnerContext } from './runner-context.ts';
import { openOwnPaths } from './runner-context.ts';
import type { CaseResult, JobResult, TestRunner } from './test-runner.ts';

/** The first run of the tests, without a change. */
export interface FirstRun {
  readonly cases: readonly CaseResult[];
  /** What the runner printed; empty if the cases say all. */
  readonly output: string;
}

/** The files of the project, to name places in it, and its test command. */
interface ProjectPaths {
  readonly paths: readonly string[];
  readonly isTest: (path: string) => boolean;
  /** The test command; null if none is known. */
  readonly testCommand: string | null;
}

/** A text in which a runner says why a test failed. */
interface Failure {
  readonly text: string;
  /** Path of the test file; empty if it is unknown. */
  readonly file: string;
  /** True if a file did not load, so that none of its cases ran. */
  readonly loads: boolean;
}

interface Names extends ProjectPaths {
  /** The path below the root folder, as far as it is known. */
  readonly own: (path: string) => string;
}

/** Why the failure is none that an edit of the code can repair, and what to do; null for another failure. */
type Obstacle = (failure: Failure, names: Names) => string | null;

const install =
  'Install the packages in a step before Photon, or set setup-command to the command that installs them, and network to setup.';
const built =
  'If a build makes it, put the build in front of the tests in test-command, such as "npm run build && npm test".';

/** A module that Node, a bundler or jest cannot find. */
const missingModule: Obstacle = ({ text, file }, { own, isTest }) => {
  const found =
    /Cannot find (?:module|package) '([^'\n]{1,300})'(?: imported from '?([^\s']+)| from '([^'\n]+)')?/.exec(
      text,
    ) ?? /Failed to resolve import "([^"\n]{1,300})" from "([^"\n]+)"/.exec(text);
  if (found === null) return null;
  const [, name = '', ...from] = found;
  const importer = from.find(f => f !== undefined) ?? /Require stack:\n- (\S+)/.exec(text)?.[1];
  const at = own((importer ?? '').replace(/^file:\/\//, '')) || file;
  const by = at === '' ? '' : `: ${at} imports it`;
  if (!/^[./]/.test(name))
    return `The package "${packageOf(name)}" is not installed${by}. ${install}`;
  const made = /(?:^|\/)(?:dist|build|lib|out|generated|\.next)\//.exec(name);
  // a wrong path in the code under test may be the fault itself
  if (made === null && !isTest(at)) return null;
  const path = made === null ? name : name.slice(made.index).replace(/^\//, '');
  return `The file "${path}" does not exist${by}. ${built}`;
};

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** How a project installs itself, by the tool in front of its tests. */
const installsItself: Readonly<Record<string, string>> = {
  poetry: 'poetry install --only-root',
  pdm: 'pdm install',
  pipenv: 'pipenv run pip install --no-deps -e .',
  rye: 'rye sync',
  uv: 'uv sync',
};

const missingPython: Obstacle = ({ text, file }, { paths, testCommand }) => {
  const name = /(?:ModuleNotFoundError|ImportError): No module named '?([\w.]{1,200})'?/.exec(
    text,
  )?.[1];
  if (name === undefined) return null;
  const [top = ''] = name.split('.');
  const place = paths.find(
    p => p === `${top}.py` || p.endsWith(`/${top}.py`) || startsPackage(p, top),
  );
  const by = file === '' ? '' : `: ${file} needs it`;
  if (place === undefined) return `The Python module "${top}" is not installed${by}. ${install}`;
  // a module that its own package lacks may be the fault itself
  if (name !== top) return null;
  const [, tool = ''] = /\b(poetry|pdm|pipenv|rye|uv) run\b/.exec(testCommand ?? '') ?? [];
  const own = installsItself[tool] ?? 'pip install --no-deps -e .';
  return `Python does not find the module "${top}" of the repository (${place})${by}. Set setup-command to "${own}", or name its folder in PYTHONPATH in front of test-command.`;
};

const startsPackage = (path: string, name: string) =>
  path === `${name}/__init__.py` || path.endsWith(`/${name}/__init__.py`);

/** Text that cannot be parsed, with its place. Programs also throw syntax errors while they run. */
const syntaxError: Obstacle = ({ text, file, loads }, { own }) => {
  if (!loads) return null;
  const words =
    /^(?:E\s+)?((?:SyntaxError|IndentationError|TabError): .*)$/m.exec(text)?.[1] ??
    /(?:ERROR|error): (Expected .*|Unexpected .*|Unterminated .*)$/m.exec(text)?.[1] ??
    /(\[PARSE_ERROR\].*|Parse failure: .*)$/m.exec(text)?.[1];
  if (words === undefined || /does not provide an export|(?:JSON|regular expression)/.test(words))
    return null;
  const [path = '', line = ''] = placeOf(text, own) ?? [];
  const at =
    path === '' ? (file === '' ? '' : ` in ${file} or what it imports`) : ` at ${path}:${line}`;
  return `The code has a syntax error${at}: ${words.trim().slice(0, 200)}. The embedded engine repairs programs that can be parsed; repair the syntax first.`;
};

/** The last place in the project that a text names. */
function placeOf(text: string, own: Names['own']): readonly [path: string, line: string] | null {
  const places = [
    ...text.matchAll(
      /File "([^"\n]+)", line (\d+)|(?:file:\/\/)?(\/[^\s:()'"]{1,400}):(?:(\d+)|.{0,400}\((\d+):\d+\))/g,
    ),
  ].map(([, a, b, c, d, e]) => [own(a ?? c ?? ''), b ?? d ?? e ?? ''] as const);
  const inside = places.filter(([path]) => path !== '');
  // Python names the innermost place last, other programs first
  return (text.includes('File "') ? inside.at(-1) : inside[0]) ?? null;
}

const collectionError: Obstacle = ({ text, file }) => {
  const fixture = /FixtureLookupError: \('(\w+)'/.exec(text)?.[1];
  const words =
    (fixture && `fixture "${fixture}" not found`) ??
    /unrecognized arguments: .*/.exec(text)?.[0] ??
    /^ImportError while loading conftest .*$/m.exec(text)?.[0] ??
    /^(?:ERROR|.*error): (?:usage|not found|file or directory not found).*$/m.exec(text)?.[0] ??
    /^INTERNALERROR>? .*$/m.exec(text)?.[0];
  if (words === undefined) return null;
  return `pytest cannot collect the tests${file === '' ? '' : ` of ${file}`}: ${words.slice(0, 300)}. Repair what it names, or install the plugin that provides it.`;
};

const unreachable: readonly RegExp[] = [
  /\b(?:getaddrinfo|query\w*) (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/,
  /\bconnect (?:ENETUNREACH|EHOSTUNREACH) ([\w.:-]+)/,
  /Failed to resolve '([\w.-]+)'/,
  /(?:Temporary failure in name resolution|Name or service not known|Network is unreachable)/,
  /dial tcp: lookup ([\w.-]+)/,
];

/** A test that needs the network. A refused connection to this machine may be a fault of the code. */
const network: Obstacle = ({ text, file }) => {
  const found = unreachable.map(pattern => pattern.exec(text)).find(match => match !== null);
  if (!found || /\b(?:undefined|null|NaN)\b/.test(found[1] ?? '')) return null;
  return `A test${file === '' ? '' : ` in ${file}`} needs the network: ${found[0].slice(0, 200)}. Photon runs tests without network, so no edit makes it pass. Leave the test out of test-command, or allow the network.`;
};

const notInstalled: Obstacle = ({ text, loads }) => {
  const name =
    /(?:^|[\s:])([\w.@/-]+): (?:command )?not found\s*$/m.exec(text)?.[1] ??
    /No module named (pytest|unittest|tox|nox)\s*$/m.exec(text)?.[1];
  if (!loads || name === undefined) return null;
  return `The test command starts "${name}", which is not installed. ${install}`;
};

/** What vitest and jest say of an environment, a preset and other parts that the configuration names. */
const missingParts: readonly RegExp[] = [
  /Cannot find dependency '([^'\n]{1,300})'/,
  /Test environment (\S{1,300}) cannot be found\./,
  /Jest Runner (\S{1,300}) cannot be found\./,
  /Preset (\S{1,300}) not found relative to rootDir/,
  /Module (\S{1,300}) in the \w+ option was not found\./,
  /a custom reporter\.\s+Module name: (\S{1,300})/,
];

const missingPart: Obstacle = ({ text }) => {
  const found = missingParts.map(pattern => pattern.exec(text)?.[1]).find(n => n !== undefined);
  if (found === undefined) return null;
  return /^(?:[./\\]|<rootDir>|[A-Za-z]:)/.test(found)
    ? `The configuration of the tests names "${found}", which does not exist. Correct it. ${built}`
    : `The package "${packageOf(found)}" is not installed: the configuration of the tests names it. ${install}`;
};

/** An error of the TypeScript compiler, which a build, ts-node or ts-jest reports. */
const typeError: Obstacle = ({ text, loads }) => {
  const words =
    /^(?:[ \t]*|.*Exception during run: )(\S+\.[cm]?tsx?)[(:](\d+)[,:]\d+\)?(?: -|:) (error TS\d+: .*)$/m.exec(
      text,
    );
  if (!loads || words === null) return null;
  const [, path = '', line = '', error = ''] = words;
  return `The code does not compile, so no test runs: ${path}:${line}: ${error.slice(0, 300)} Repair it first.`;
};

const obstacles: readonly Obstacle[] = [
  missingPart,
  notInstalled,
  missingModule,
  missingPython,
  collectionError,
  syntaxError,
  network,
  typeError,
];

const maxText = 20_000;
const maxExamined = 200;

/**
 * Finds why no edit can make the tests pass: a missing module, program or network, a syntax error, tests that cannot be
 * collected. Says it with the words of the runner, and what to do. Null if nothing of the kind is seen.
 */
export function findObstacle({ cases, output }: FirstRun, project: ProjectPaths): string | null {
  const names = { ...project, own: openOwnPaths(project.paths) };
  const failed = cases.filter(c => c.status === 'failed').slice(0, maxExamined);
  const failures: readonly Failure[] =
    cases.length === 0
      ? [{ text: output.slice(-maxText), file: '', loads: true }]
      : failed.map(c => ({ text: c.message ?? '', file: c.file, loads: c.id === c.file }));
  for (const failure of failures)
    for (const obstacle of obstacles) {
      const found = obstacle(failure, names);
      if (found !== null) return found;
    }
  return null;
}

/** An explanation of why there is no search. */
export interface Stop {
  readonly stop: string;
}

/** Looks for an obstacle in the first run of a project's tests; null if there is none. */
export async function stopAt(
  { files, isTest, testCommand }: Pick<RunnerContext, 'files' | 'isTest' | 'testCommand'>,
  run: FirstRun,
): Promise<Stop | null> {
  const stop = findObstacle(run, { paths: await files(), isTest, testCommand });
  return stop === null ? null : { stop };
}

/** What the failing cases show without the others; `stop` if one passes then. */
type AloneRun = Stop | { readonly spent: NonNullable<JobResult['spent']> };

/**
 * Runs the failing cases once more, without the others: a failure by chance, or by the order of the tests, may pass. A
 * case may take longer alone, because it is then the first to need what others prepared.
 */
export async function runAlone(
  runner: TestRunner,
  cases: readonly CaseResult[],
): Promise<AloneRun> {
  const failed = cases.filter(c => c.status === 'failed');
  if (failed.length === 0) return { spent: {} };
  const tests = [...new Set(failed.map(c => c.file))].filter(f => f !== '');
  const stages = [{ tests, only: failed.map(c => c.id) }];
  const alone = await runner.run({ files: {}, stages, bail: false, coverage: false });
  return stopAtFlaky(failed, alone.cases) ?? { spent: alone.spent ?? {} };
}

/** Says which case failed in one of two runs of the same code and passed in the other; null if there is none. */
export function stopAtFlaky(one: readonly CaseResult[], other: readonly CaseResult[]): Stop | null {
  const before = new Map(one.map(c => [c.id, c.status]));
  const found = other.find(({ id, status }) => {
    const earlier = before.get(id);
    return earlier !== undefined && earlier !== status && [earlier, status].includes('failed');
  });
  return found === undefined
    ? null
    : {
        stop: `The test "${found.id.slice(0, 200)}" failed in one run and passed in another run of the same code. No repair can be told from chance. Make the test reliable, or leave it out of test-command.`,
      };
}
