/** Installs the packages of the benchmark, makes a repository of each, and runs its tests. */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import type { HumanFix, Published, Regression } from './data.ts';

/** Milliseconds for one run of a package's tests. */
const testMs = 60_000;

/** Installs a package with what its tests need, unless that was done before. Returns its folder. */
export function install(found: Published, cache: string): string {
  const done = join(cache, `${found.name.replace('/', '+')}@${found.version}`);
  if (existsSync(done)) return done;
  const folder = `${done}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (found.registry === 'npm') installNpm(found, folder);
  else installPip(found, folder);
  renameSync(folder, done);
  return done;
}

const npmQuiet = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--silent',
  '--legacy-peer-deps',
];

function installNpm({ name, version, needs }: Published, folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{}');
  command(folder, ['npm', 'install', ...npmQuiet, `${name}@${version}`, ...needs]);
  const project = join(folder, 'project');
  // a copy, because what the tests need may itself need the published package
  cpSync(join(folder, 'node_modules', name), project, { recursive: true });
  cpSync(join(folder, 'node_modules'), join(project, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

function installPip({ name, version }: Published, folder: string): void {
  const project = join(folder, 'project');
  const quiet = ['--no-deps', '--no-compile', '--quiet', '--retries', '0'];
  command(folder, [
    'python3',
    '-m',
    'pip',
    'install',
    ...quiet,
    '--target',
    project,
    `${name}==${version}`,
  ]);
}

function command(cwd: string, [program = '', ...args]: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

/** A project with a fault. */
export interface Faulty {
  /** Writes it into a new folder. */
  readonly write: (to: string) => void;
  /** Text of the faulty file after the known repair. */
  readonly repaired: string;
}

/** A published package with its fault. */
export function plantedProject(installed: string, bug: Regression): Faulty {
  const repaired = readFileSync(join(installed, 'project', bug.file), 'utf8');
  return {
    repaired,
    write: to => {
      cpSync(join(installed, 'project'), to, { recursive: true, verbatimSymlinks: true });
      writeFileSync(join(to, bug.file), plant(repaired, bug));
    },
  };
}

/** The project at the commit of a human fix, with the file as it was before. `clones` holds a folder `owner+name` each. */
export function unfixedProject(fix: HumanFix, clones: string, cache: string): Faulty {
  const clone = join(clones, fix.repo.replace('/', '+'));
  const gitDirectory = [join(clone, 'repo'), join(clone, '.git'), clone].find(d =>
    existsSync(join(d, 'HEAD')),
  );
  if (gitDirectory === undefined) throw new Error(`${fix.id}: no clone at ${clone}`);
  const show = (revision: string) =>
    command(clone, ['git', `--git-dir=${gitDirectory}`, 'show', `${revision}:${fix.file}`]);
  const needs = installNeeds(fix, cache);
  return {
    repaired: show(fix.commit),
    write: to => {
      mkdirSync(to, { recursive: true });
      const archive = `${to}.tar`;
      // samples of benchmarks may be too large for a stored clone
      const into = [`--output=${archive}`, fix.commit, '--', '.', ':(exclude)bench*'];
      command(clone, ['git', `--git-dir=${gitDirectory}`, 'archive', ...into]);
      command(to, ['tar', '-xf', archive]);
      rmSync(archive);
      writeFileSync(join(to, fix.file), show(`${fix.commit}^`));
      if (needs !== undefined)
        cpSync(needs, join(to, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    },
  };
}

/** Installs what the tests of a repository need, unless that was done before. Returns the folder `node_modules`. */
function installNeeds({ repo, needs }: HumanFix, cache: string): string | undefined {
  if (needs.length === 0) return undefined;
  const done = join(cache, `needs-${repo.replace('/', '+')}`);
  if (!existsSync(done)) {
    const folder = `${done}.new`;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    command(folder, ['npm', 'install', ...npmQuiet, ...needs]);
    renameSync(folder, done);
  }
  return join(done, 'node_modules');
}

/** Commits everything but installed packages. */
export function commit(folder: string): void {
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n__pycache__/\n.pytest_cache/\n');
  const as = ['-c', 'user.name=Benchmark', '-c', 'user.email=bench@localhost'];
  command(folder, ['git', 'init', '-q']);
  command(folder, ['git', 'add', '-A']);
  command(folder, ['git', ...as, 'commit', '-qm', 'program']);
}

/** The text with the fault. Throws if the line does not hold the text that the fault replaces. */
export function plant(text: string, { id, line, right, wrong }: Regression): string {
  const lines = text.split('\n');
  const held = lines[line - 1] ?? '';
  if (!held.includes(right)) throw new Error(`${id}: line ${line} does not hold ${right}`);
  lines[line - 1] = held.replace(right, () => wrong);
  return lines.join('\n');
}

/** The end of a run of tests. */
export interface TestEnd {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs a shell line in a project with its own programs on the PATH. */
export function runTests(folder: string, line: string): Promise<TestEnd> {
  const path = [join(folder, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
  const env = { PATH: path, HOME: process.env.HOME ?? '', PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', data => (output += output.length < 20_000_000 ? data : ''));
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), testMs);
  return new Promise(done =>
    child.on('close', code => {
      clearTimeout(timer);
      done({ passed: code === 0, output });
    }),
  );
}

/** Paths of the test files of a project. */
export function testFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    p => /(^|\/)(tests?\/.*|test)\.(c|m)?(js|py)$/.test(p) && !p.startsWith('node_modules'),
  );
}

/** Applies a patch of the engine. */
export function apply(folder: string, patch: string): void {
  command(folder, ['git', 'apply', patch]);
}
