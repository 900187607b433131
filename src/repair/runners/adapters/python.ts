/** Runs candidates of unittest and pytest in forks of an interpreter that has loaded what configures the tests. */
import type { PlainCommand } from '../../../ecosystems/commands/parse-command.ts';
import type { WarmWay } from '../best-runner.ts';
import { joinProgram, type RunnerContext, type RunnerView } from '../runner-context.ts';
import type { CaseResult } from '../test-runner.ts';

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
const program = 'interpreter report with-unittest with-pytest fork serve'
  .split(' ')
  .map(part => `python/${part}.py`);

const lookMs = 10_000;

/** The warm way for such a command; undefined for another one. */
export function findPython({ runner }: RunnerContext, plain: PlainCommand): WarmWay | undefined {
  const command = parsePython(plain);
  if (command === undefined) return undefined;
  return {
    name: `${command.kind}, warm`,
    argv: async view => [
      'env',
      ...plain.env,
      ...(plain.front ?? []),
      await findInterpreter(view, plain, command),
      '-c',
      joinProgram(runner, program),
    ],
    open: { ...command },
    listFiles: () => [],
    agrees: (real, cases) => agreesWith(cases, real),
    maxCandidates,
  };
}

/** The first line of a program that Python runs: `#!/home/me/.local/pipx/venvs/pytest/bin/python`. */
const shebang = /^#!\s*(\/\S*\/python[\d.]*)\s*$/m;

/** The interpreter of the command. A `pytest` on the PATH may have another one than the `python3` there. */
async function findInterpreter(
  view: RunnerView,
  plain: PlainCommand,
  command: PythonCommand,
): Promise<string> {
  const [program = ''] = plain.words;
  const isFound = /^(?:pytest|py\.test)$/.test(program) && plain.front === undefined;
  if (!isFound) return command.python;
  const { output } = await view.run(`head -n 1 "$(command -v ${program})"`, lookMs);
  return shebang.exec(output)?.[1] ?? command.python;
}

/** True if the real run ended like the warm one, and with as many cases if it prints the number. */
export function agreesWith(
  cases: readonly CaseResult[],
  real: { readonly passed: boolean; readonly output: string },
): boolean {
  const failed = cases.some(c => c.status === 'failed');
  if (cases.length === 0 || failed === real.passed) return false;
  const ran = /^Ran (\d+) tests? in/m.exec(real.output)?.[1];
  if (ran !== undefined) return Number(ran) === cases.length;
  const counted = [
    ...real.output.matchAll(/(?<!\d)(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)\b/g),
  ];
  const total = counted.reduce((sum, [, n]) => sum + Number(n), 0);
  return total === 0 || total === cases.length;
}
