/** Adapter for go test: the result of each case, and its lines from test binaries with coverage. */
import {
  type PlainCommand,
  quoted,
  shellLine,
} from '../../../ecosystems/commands/parse-command.ts';
import { coldFurther, openCold } from '../cold.ts';
import { type RunnerContext, type RunnerView, readRoot, runnerFolder } from '../runner-context.ts';
import type { CaseResult, Coverage, RunnerAdapter, TestRunner } from '../test-runner.ts';
import {
  linesOfBlock,
  type Packages,
  parseCoverProfile,
  parseGoTest,
  parsePackages,
  runPattern,
} from './go-output.ts';

/** The first build may compile the standard library. */
const firstMs = 300_000;
const firstSeconds = 60;
const maxCandidates = 300;
const maxFailing = 40;
const maxPassing = 160;
const profilesPath = `${runnerFolder}/profiles.txt`;

/** The parts of a `go test` command. */
interface GoCommand {
  readonly flags: readonly string[];
  readonly packages: readonly string[];
}

/** Flags of `go test` whose value may be the next word. */
const valued = new Set(
  'run skip bench benchtime count timeout tags p parallel cpu mod modfile ldflags gcflags asmflags vet shuffle coverprofile coverpkg covermode o exec outputdir list fuzz fuzztime C'.split(
    ' ',
  ),
);
/** Flags of the project that the adapter leaves out or sets itself. */
const dropped = new Set(
  'v json cover coverprofile coverpkg covermode count timeout bench benchtime benchmem failfast o c outputdir list shuffle fuzz fuzztime'.split(
    ' ',
  ),
);

/** The name of a flag without its dashes and its value. */
const flagName = (word: string) => (word.split('=')[0] ?? '').replace(/^--?/, '');

/** Parses `go test …`; undefined for another command, or one with flags that cannot be kept. */
export function parseGo({ words }: PlainCommand): GoCommand | undefined {
  if (words[0] !== 'go' || words[1] !== 'test') return undefined;
  const flags: string[] = [];
  const packages: string[] = [];
  for (let i = 2; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-args' || word === '--args' || /^--?(exec|C)(=|$)/.test(word)) return undefined;
    if (!word.startsWith('-')) {
      packages.push(word);
      continue;
    }
    const name = flagName(word);
    const value = !word.includes('=') && valued.has(name) ? [words[++i] ?? ''] : [];
    if (!dropped.has(name)) flags.push(word, ...value);
  }
  return { flags, packages };
}

interface Module {
  readonly context: RunnerContext;
  readonly env: readonly string[];
  readonly command: GoCommand;
  readonly packages: Packages;
  readonly root: string;
}

/** Runs the tests without a change, then each case with coverage; undefined if there is no Go or no test. */
export async function openGo(
  context: RunnerContext,
  plain: PlainCommand,
): Promise<RunnerAdapter | undefined> {
  const command = parseGo(plain);
  if (command === undefined) return undefined;
  const view = await context.open();
  try {
    const root = await readRoot(view, firstMs);
    const list = shellLine({
      ...plain,
      words: ['go', 'list', '-e', '-f', '{{.ImportPath}} {{.Dir}}', './...'],
    });
    const listed = await view.run(list, firstMs);
    const packages = parsePackages(listed.output, root);
    const module = { context, env: plain.env, command, packages, root };
    const base = await runOnce(module, view);
    if (base.length === 0) return undefined;
    const coverage = await collectCoverage(module, view, base);
    return {
      name: 'go test',
      base,
      coverage,
      maxCandidates,
      further: coldFurther,
      open: () => openCandidates(module),
      close: () => {},
    };
  } finally {
    view.close();
  }
}

/** Opens a runner that compiles and runs the packages of a stage in a copy of its own. */
async function openCandidates(module: Module): Promise<TestRunner> {
  const { context, packages } = module;
  const view = await context.open();
  const root = await readRoot(view, firstMs);
  return openCold({
    context,
    view,
    line: tests => testLine(module, ['-vet=off', ...(tests ?? module.command.packages)]),
    parse: ({ output }) => parseGoTest(output, packages, root),
    timeoutMs: Math.min(firstMs, context.testTimeoutMs),
  });
}

/** The command that runs packages; a case that never ends is stopped by its time limit. */
function testLine({ env, command }: Module, packages: readonly string[]): string {
  const words = ['go', 'test', '-json', '-count=1', `-timeout=${firstSeconds}s`];
  return shellLine({ env, words: [...words, ...command.flags, ...packages] });
}

async function runOnce(module: Module, view: RunnerView): Promise<readonly CaseResult[]> {
  const { context, command, packages, root } = module;
  const end = await view.run(
    testLine(module, command.packages),
    Math.min(firstMs, context.testTimeoutMs),
  );
  return end.limit === 'time' ? [] : parseGoTest(end.output, packages, root);
}

/** Lines by case: the packages of failing cases are compiled once with coverage, and each case runs alone. */
async function collectCoverage(
  module: Module,
  view: RunnerView,
  cases: readonly CaseResult[],
): Promise<readonly Coverage[]> {
  const { context, packages } = module;
  const failing = cases.filter(c => c.status === 'failed' && c.id.includes(' > '));
  const among = [...new Set(failing.map(c => c.file))];
  const passing = cases.filter(c => c.status === 'passed' && among.includes(c.file));
  const chosen = [...failing.slice(0, maxFailing), ...passing.slice(0, maxPassing)];
  if (chosen.length === 0) return [];
  const script = coverScript(module, among, chosen);
  await view.place(new Map([[`${runnerFolder}/cover.sh`, script]]));
  await view.run(`sh ${runnerFolder}/cover.sh`, Math.min(firstMs, context.testTimeoutMs));
  const texts = new Map<string, readonly string[]>();
  const found: Coverage[] = [];
  for (const part of (view.read(profilesPath) ?? '').split(/^case /m).slice(1)) {
    const about = chosen[Number.parseInt(part, 10)];
    if (about === undefined) continue;
    const files = new Map<string, Set<number>>();
    for (const block of parseCoverProfile(part, packages)) {
      const text = texts.get(block.path) ?? (await context.text(block.path))?.split('\n') ?? [];
      texts.set(block.path, text);
      const lines = files.get(block.path) ?? new Set();
      for (const line of linesOfBlock(block, text)) lines.add(line);
      files.set(block.path, lines);
    }
    const sorted = [...files].map(([p, lines]) => [p, [...lines].sort((a, b) => a - b)] as const);
    // a case that ended the process wrote no profile
    if (sorted.length > 0)
      found.push({ id: about.id, file: about.file, files: Object.fromEntries(sorted) });
  }
  return found;
}

/** A shell script that writes `case <n>` and the blocks that ran for each of these cases. */
function coverScript(
  { env, command, packages }: Module,
  among: readonly string[],
  chosen: readonly CaseResult[],
): string {
  const kept = command.flags.filter((f, i) => {
    const [name = ''] = f.startsWith('-') ? f.split('=') : (command.flags[i - 1] ?? '').split('=');
    return /^--?(tags|race|mod|modfile|ldflags|gcflags)$/.test(name);
  });
  const compile = ['go', 'test', '-c', '-cover', '-covermode=set', '-coverpkg=./...', ...kept];
  const builds = among.map((of, i) =>
    shellLine({ env, words: [...compile, '-o', `${runnerFolder}/tests-${i}`, of] }),
  );
  const environment = env.length > 0 ? ['env', ...env.map(quoted)] : [];
  const runs = chosen.map((c, i) => {
    const [of = '', ...names] = c.id.split(' > ');
    const test = names.join(' > ');
    const at = packages.get(of) ?? '';
    const words = [
      `"$top/${runnerFolder}/tests-${among.indexOf(of)}"`,
      quoted(`-test.run=${runPattern(test)}`),
      '-test.timeout=5s',
      `-test.coverprofile="$top/${runnerFolder}/profile"`,
    ];
    return [
      `rm -f ${runnerFolder}/profile`,
      `(cd ./${quoted(at)} && ${[...environment, ...words].join(' ')}) >/dev/null 2>&1`,
      `{ echo 'case ${i}'; grep -v ' 0$' ${runnerFolder}/profile; } >>${profilesPath} 2>/dev/null`,
    ].join('\n');
  });
  return ['top=$PWD', ...builds, ...runs, ''].join('\n');
}
