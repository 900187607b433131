/** Adapter for unittest and pytest: candidates share a fork of a warm interpreter, and what passes there runs in forks of its own. */
import { type PlainCommand, shellLine } from '../../../ecosystems/commands/parse-command.ts';
import { firstLimits, limitsFrom, openBaseRun, warmFurther, wasLate, withTimes } from '../agree.ts';
import { openChannel } from '../channel.ts';
import { casesToCover, withLeftOut } from '../coverage.ts';
import { judgeFlaky, runAlone, type Stop, stopAt } from '../obstacles.ts';
import { joinProgram, type RunnerContext, type RunnerView } from '../runner-context.ts';
import type {
  CaseLimits,
  CaseResult,
  JobResult,
  RunnerAdapter,
  TestRunner,
} from '../test-runner.ts';

const maxCandidates = 2500;

/** The command as the runner inside the sandbox gets it. */
interface PythonCommand {
  readonly python: string;
  readonly kind: 'unittest' | 'pytest';
  /** Folder, pattern and top folder of discovery. */
  readonly start?: string;
  readonly pattern?: string;
  readonly top?: string;
  /** Modules, classes and paths that the command names. */
  readonly names: readonly string[];
  readonly flags: readonly string[];
  /** False for the program `pytest`, which does not add the root folder to the module path. */
  readonly cwdOnPath: boolean;
}

/** Parses a command that runs unittest or pytest; undefined for another command. */
export function parsePython({ front, words }: PlainCommand): PythonCommand | undefined {
  const program = words[0] ?? '';
  const folder = /^(\S*\/)?(?:pytest|py\.test)$/.exec(program);
  if (folder !== null) {
    // an environment has a `python`, and so has the folder of its programs
    const python = folder[1] ?? '';
    const name = python !== '' || front !== undefined ? 'python' : 'python3';
    return { ...parsePytest(words.slice(1)), python: `${python}${name}`, cwdOnPath: false };
  }
  if (!/^(\S*\/)?python[\d.]*$/.test(program)) return undefined;
  const module = words.indexOf('-m');
  const rest = words.slice(module + 2);
  if (module < 1 || words.slice(1, module).some(w => !/^-[BEIbdisu]+$/.test(w))) return undefined;
  if (words[module + 1] === 'pytest')
    return { ...parsePytest(rest), python: program, cwdOnPath: true };
  return words[module + 1] === 'unittest'
    ? { ...parseUnittest(rest), python: program, cwdOnPath: true }
    : undefined;
}

type RunnerArguments = Omit<PythonCommand, 'python' | 'cwdOnPath'>;

const discoveryOptions: ReadonlyMap<string, 'start' | 'pattern' | 'top'> = new Map([
  ['-s', 'start'],
  ['--start-directory', 'start'],
  ['-p', 'pattern'],
  ['--pattern', 'pattern'],
  ['-t', 'top'],
  ['--top-level-directory', 'top'],
]);

function parseUnittest(words: readonly string[]): RunnerArguments {
  const names: string[] = [];
  const found: { start?: string; pattern?: string; top?: string } = {};
  const discovers = words[0] === 'discover' || words.every(w => w.startsWith('-'));
  const places = ['start', 'pattern', 'top'] as const;
  let place = 0;
  for (let i = discovers && words[0] === 'discover' ? 1 : 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const named = discoveryOptions.get(word);
    if (named !== undefined) found[named] = words[++i] ?? '';
    else if (word === '-k') i += 1;
    else if (!word.startsWith('-')) {
      const next = places[place];
      if (discovers && next !== undefined) found[next] = word;
      else names.push(word);
      place += 1;
    }
  }
  return { kind: 'unittest', ...found, names, flags: [] };
}

/** Options of pytest that the adapter leaves out. */
const dropped: readonly RegExp[] = [
  /^(-x|-v+|-q+|-s|-ra|-rA|-n\w+)$/,
  /^--(exitfirst|verbose|quiet|no-header)$/,
  /^--(tb|durations|color|junit-?xml|maxfail|numprocesses)=/,
  /^--cov/,
];
/** Options of pytest that take the next word as their value. */
const valued = /^(-k|-m|-c|-p|-o|-W|--rootdir|--ignore|--deselect|--confcutdir|--import-mode)$/;
/** Options that are left out together with the next word. */
const droppedValued = /^(-n|--numprocesses|--junit-?xml|--maxfail|--tb|--dist)$/;

function parsePytest(words: readonly string[]): RunnerArguments {
  const names: string[] = [];
  const flags: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (droppedValued.test(word)) i += 1;
    else if (valued.test(word)) flags.push(word, words[++i] ?? '');
    else if (!word.startsWith('-')) names.push(word);
    else if (!dropped.some(pattern => pattern.test(word))) flags.push(word);
  }
  return { kind: 'pytest', names, flags };
}

/** The parts of the program that serves jobs. */
const program = ['interpreter', 'report', 'unittest', 'pytest', 'fork', 'shared']
  .map(part => `python/python-${part}.py`)
  .concat('python/python.py');

const lookMs = 10_000;
/** Time limit of the real run; a run that a test holds up cannot be compared. */
const coldMs = 60_000;

/** Opens the adapter; undefined for another command, or if the tests cannot run warm. */
export async function openPython(
  context: RunnerContext,
  plain: PlainCommand,
): Promise<RunnerAdapter | Stop | undefined> {
  const command = parsePython(plain);
  if (command === undefined || context.build !== undefined) return undefined;
  return openWarm({ context, plain, command, preload: true });
}

interface WarmPython {
  readonly context: RunnerContext;
  readonly plain: PlainCommand;
  readonly command: PythonCommand;
  /** True to load once, before the second run, what the tests load from outside of the project. */
  readonly preload: boolean;
  /** The cases of an earlier first run. */
  readonly earlier?: readonly CaseResult[];
}

/** Runs the tests warm with coverage, and compares with the real command. */
async function openWarm(given: WarmPython): Promise<RunnerAdapter | Stop | undefined> {
  const { context, plain, command, preload, earlier = [] } = given;
  const view = await context.open();
  const python = await findInterpreter(view, given);
  const start = (on: RunnerView, limits: CaseLimits): TestRunner =>
    openChannel({
      view: on,
      argv: [
        'env',
        ...plain.env,
        ...(plain.front ?? []),
        python,
        '-c',
        joinProgram(context.runner, program),
      ],
      open: { ...command, preload },
      limits,
    });
  // beside the warm runs, if copies do not share ports
  const baseline = context.baseline?.();
  baseline?.catch(() => {}); // whoever waits for it gets the error
  const trial = start(view, firstLimits);
  const base = openBaseRun(trial);
  const whole = { files: {}, stages: [{ tests: [], only: null }], bail: false };
  const again = await base({ ...whole, coverage: false });
  const hangs = wasLate(again);
  const stop =
    again.cases.length === 0 ? undefined : await stopAt(context, { ...again, output: '' });
  if (stop !== undefined) {
    trial.close();
    view.close();
    return stop;
  }
  const only = casesToCover(again.cases);
  // each job has its own fork, so the order of these two does not matter
  const stages = [{ tests: [], only: only ?? null }];
  const seen = await base({ ...whole, stages, coverage: true });
  const judged = hangs
    ? []
    : [judgeFlaky(earlier, again.cases), judgeFlaky(again.cases, seen.cases)];
  const alone = hangs ? undefined : await runAlone(trial, again.cases);
  trial.close();
  const chance = [...judged, alone].find(j => j !== undefined && 'stop' in j);
  const flaky = new Set(
    [...judged, alone].flatMap(j => (j === undefined || 'stop' in j ? [] : [...j.flaky])),
  );
  const cold = hangs
    ? undefined
    : await (baseline ?? view.run(shellLine(plain), Math.min(coldMs, context.testTimeoutMs)));
  view.close();
  if (again.cases.length === 0 && cold !== undefined)
    return stopAt(context, { cases: [], output: cold.output });
  // a test may notice that a module is loaded already
  const covered = new Set(seen.cases.map(c => c.id));
  const lost = (only ?? again.cases.map(c => c.id)).some(id => !covered.has(id));
  if (preload && (chance !== undefined || flaky.size > 0 || lost))
    return openWarm({ ...given, preload: false, earlier: again.cases });
  if (chance !== undefined && 'stop' in chance) return chance;
  if (seen.ended !== 'done' || again.ended !== 'done') return undefined;
  if (cold !== undefined && !agreesWith(again, cold)) return undefined;
  const spent = alone === undefined || 'stop' in alone ? {} : alone.spent;
  const limits = limitsFrom(withTimes(again, spent));
  return {
    name: `${command.kind}, warm`,
    base: mergeCases(again.cases, seen.cases),
    flaky,
    coverage: withLeftOut(seen.coverage, again.cases, only),
    further: warmFurther,
    maxCandidates,
    open: async () => start(await context.open(), limits),
    close: () => {},
  };
}

/** The first line of a program that Python runs: `#!/home/me/.local/pipx/venvs/pytest/bin/python`. */
const shebang = /^#!\s*(\/\S*\/python[\d.]*)\s*$/m;

/** The interpreter of the command. A `pytest` on the PATH may have another one than the `python3` there. */
async function findInterpreter(
  view: RunnerView,
  { plain, command }: Pick<WarmPython, 'plain' | 'command'>,
): Promise<string> {
  const [program = ''] = plain.words;
  const isFound = /^(?:pytest|py\.test)$/.test(program) && plain.front === undefined;
  if (!isFound) return command.python;
  const { output } = await view.run(`head -n 1 "$(command -v ${program})"`, lookMs);
  return shebang.exec(output)?.[1] ?? command.python;
}

/** The cases of a whole run, with the messages of the run with coverage, which explains assertions. */
function mergeCases(all: readonly CaseResult[], covered: readonly CaseResult[]) {
  const byId = new Map(covered.map(c => [c.id, c]));
  return all.map(c => byId.get(c.id) ?? c);
}

/** True if the real run ended like the warm one, and with as many cases if it prints the number. */
export function agreesWith(
  { cases }: Pick<JobResult, 'cases'>,
  cold: { readonly exitCode: number | undefined; readonly output: string },
): boolean {
  const failed = cases.some(c => c.status === 'failed');
  if (cases.length === 0 || failed !== (cold.exitCode !== 0)) return false;
  const ran = /^Ran (\d+) tests? in/m.exec(cold.output)?.[1];
  if (ran !== undefined) return Number(ran) === cases.length;
  const counted = [
    ...cold.output.matchAll(/(?<!\d)(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)\b/g),
  ];
  const total = counted.reduce((sum, [, n]) => sum + Number(n), 0);
  return total === 0 || total === cases.length;
}
