/** The human fixes: commits of public repositories that repaired one file, and the projects as they were before. */
import { spawn } from 'node:child_process';
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
import { z } from 'zod';
import { runProgram } from '../engine.ts';

const projectSchema = z.strictObject({
  /** Owner and name of a public repository. */
  repo: z.string(),
  /** The command that runs its tests. */
  test: z.string(),
  /** npm packages that its tests need, with their versions. */
  needs: z.string(),
  /** Each the commit, whose tests fail with the file as it was before, and the file. */
  fixes: z.array(z.string().regex(/^[0-9a-f]{40} \S+$/)),
});

/** One commit of a person that repaired a file and brought a test that failed before. */
export interface HumanFix {
  readonly id: string;
  readonly repo: string;
  readonly commit: string;
  readonly file: string;
  readonly needs: string;
  readonly test: string;
  readonly half: 'open' | 'held-out';
}

/** All human fixes: the open ones, and those that are held out. */
export function readHumanFixes(): readonly HumanFix[] {
  return (['open', 'held-out'] as const).flatMap(half => {
    const name = half === 'open' ? 'human-fixes.json' : 'held-out-fixes.json';
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    return z
      .array(projectSchema)
      .parse(JSON.parse(text))
      .flatMap(({ fixes, ...project }) =>
        fixes.map(fix => {
          const [commit = '', file = ''] = fix.split(' ');
          const id = `${project.repo.split('/')[1]}-${commit.slice(0, 7)}`;
          return { ...project, id, commit, file, half };
        }),
      );
  });
}

/** A project with its fault. */
export interface Faulty {
  /** Writes it into a new folder. */
  readonly write: (to: string) => void;
  /** Text of the faulty file after the known repair. */
  readonly repaired: string;
}

/** The project at the commit of a fix, with the file as it was before. `clones` holds a folder `owner+name` each. */
export function openUnfixed(fix: HumanFix, clones: string, cache: string): Faulty {
  const clone = join(clones, fix.repo.replace('/', '+'));
  const places = [join(clone, 'repo'), join(clone, '.git'), clone];
  const gitDirectory = places.find(place => existsSync(join(place, 'HEAD')));
  if (gitDirectory === undefined) throw new Error(`${fix.id}: no clone at ${clone}`);
  const git = (...words: string[]) =>
    runProgram(clone, ['git', `--git-dir=${gitDirectory}`, ...words]);
  const show = (revision: string) => git('show', `${revision}:${fix.file}`);
  const needs = installNeeds(fix, cache);
  return {
    repaired: show(fix.commit),
    write: to => {
      mkdirSync(to, { recursive: true });
      const archive = `${to}.tar`;
      // samples of benchmarks may be too large for a stored clone
      git('archive', `--output=${archive}`, fix.commit, '--', '.', ':(exclude)bench*');
      runProgram(to, ['tar', '-xf', archive]);
      rmSync(archive);
      writeFileSync(join(to, fix.file), show(`${fix.commit}^`));
      writeFileSync(join(to, '.gitignore'), 'node_modules/\n__pycache__/\n.pytest_cache/\n');
      if (needs !== undefined)
        cpSync(needs, join(to, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    },
  };
}

/** Installs what the tests of a repository need, unless that was done before. Returns the folder `node_modules`. */
function installNeeds({ repo, needs }: HumanFix, cache: string): string | undefined {
  if (needs === '') return undefined;
  const done = join(cache, `needs-${repo.replace('/', '+')}`);
  if (!existsSync(done)) {
    const folder = `${done}.new`;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const quiet =
      '--ignore-scripts --no-audit --no-fund --no-package-lock --silent --legacy-peer-deps';
    runProgram(folder, ['npm', 'install', ...quiet.split(' '), ...needs.split(' ')]);
    renameSync(folder, done);
  }
  return join(done, 'node_modules');
}

/** Milliseconds for one run of a project's tests. */
const testMs = 60_000;

/** Runs a shell line in a project with its own programs on the PATH. */
export async function runTests(folder: string, line: string) {
  const path = [join(folder, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
  const env = { PATH: path, HOME: process.env.HOME ?? '', PYTHONDONTWRITEBYTECODE: '1' };
  const options = { cwd: folder, env, detached: true } as const;
  const child = spawn('sh', ['-c', line], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', data => (output += output.length < 20_000_000 ? data : ''));
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), testMs);
  const code = await new Promise(done => child.on('close', done));
  clearTimeout(timer);
  return { passed: code === 0, output };
}

/** Paths of the test files of a project. */
export function listTestFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    path =>
      /(^|\/)(tests?\/.*|test)\.(c|m)?(js|py)$/.test(path) && !path.startsWith('node_modules'),
  );
}
