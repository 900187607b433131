/** Detects the test command of a project from its files; the first detector that finds one wins. Pure. */

import type { TrustedFiles } from '../../workspace/trusted/trusted-files.ts';

export interface Detected {
  /** A shell line. */
  readonly command: string;
  readonly tool: string;
  /** The file that shows it. */
  readonly because: string;
}

/** The files of a project that detection reads. */
export interface ProjectFiles {
  readonly has: (path: string) => boolean;
  /** Text of a file; null if it does not exist. */
  readonly read: (path: string) => Promise<string | null>;
  readonly paths: readonly string[];
}

type Detector = (files: ProjectFiles) => Promise<Detected | null>;

/** In order of precision: the runner that a package script names is more exact than the default of a build tool. */
const detectors: readonly Detector[] = [
  detectNode,
  detectTox,
  detectPytest,
  detectGo,
  detectCargo,
  detectMaven,
  detectGradle,
  detectDotnet,
  detectRake,
  detectMake,
];

/** The files of a folder, for detection. */
export async function projectFilesOf(
  tree: Pick<TrustedFiles, 'list' | 'read'>,
): Promise<ProjectFiles> {
  const paths = await tree.list('');
  const known = new Set(paths);
  return {
    paths,
    has: path => known.has(path),
    read: async path => {
      const bytes = await tree.read(path);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
  };
}

/** Detects a test command; null if no file shows one. */
export async function detectTestCommand(files: ProjectFiles): Promise<Detected | null> {
  for (const detector of detectors) {
    const found = await detector(files);
    if (found !== null) return found;
  }
  return null;
}

/** Commands that install the dependencies of a lock file. The first file that exists decides. */
const setups: readonly (readonly [string, string])[] = [
  ['pnpm-lock.yaml', 'corepack pnpm install --frozen-lockfile'],
  ['yarn.lock', 'corepack yarn install --immutable'],
  ['bun.lock', 'bun install --frozen-lockfile'],
  ['package-lock.json', 'npm ci'],
  ['uv.lock', 'uv sync --frozen'],
  ['poetry.lock', 'poetry install'],
  ['requirements.txt', 'python3 -m pip install -r requirements.txt'],
  ['Gemfile.lock', 'bundle install'],
  ['go.sum', 'go mod download'],
  ['Cargo.lock', 'cargo fetch --locked'],
];

/** A shell line that installs the dependencies; empty if there is no lock file. */
export function detectSetupCommand(files: Pick<ProjectFiles, 'has'>): string {
  return setups.find(([path]) => files.has(path))?.[1] ?? '';
}

async function detectNode(files: ProjectFiles): Promise<Detected | null> {
  const manifest = parseObject(await files.read('package.json'));
  const scripts = manifest.scripts as Record<string, unknown> | undefined;
  const script = scripts?.test;
  if (typeof script !== 'string' || /no test specified/.test(script)) return null;
  const manager = packageManager(files, manifest.packageManager);
  const command = manager === 'bun' ? 'bun run test' : `${manager} test`;
  return { command, tool: manager, because: 'package.json' };
}

function packageManager(files: ProjectFiles, field: unknown): string {
  const named = typeof field === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(field)?.[1] : undefined;
  if (named !== undefined) return named;
  if (files.has('pnpm-lock.yaml')) return 'pnpm';
  if (files.has('yarn.lock')) return 'yarn';
  return files.has('bun.lock') || files.has('bun.lockb') ? 'bun' : 'npm';
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(text ?? '');
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function detectTox(files: ProjectFiles): Promise<Detected | null> {
  return files.has('tox.ini') ? { command: 'tox', tool: 'tox', because: 'tox.ini' } : null;
}

async function detectPytest(files: ProjectFiles): Promise<Detected | null> {
  const named: [string, RegExp][] = [
    ['pytest.ini', /./s],
    ['pyproject.toml', /^\[tool\.pytest/m],
    ['setup.cfg', /^\[tool:pytest\]/m],
  ];
  for (const [path, pattern] of named) {
    if (pattern.test((await files.read(path)) ?? ''))
      return { command: 'python3 -m pytest', tool: 'pytest', because: path };
  }
  const test = files.paths.find(p => /^(tests?\/(.*\/)?)?(test_[^/]*|[^/]*_test)\.py$/.test(p));
  return test === undefined
    ? null
    : { command: 'python3 -m pytest', tool: 'pytest', because: test };
}

async function detectGo(files: ProjectFiles): Promise<Detected | null> {
  return files.has('go.mod') ? { command: 'go test ./...', tool: 'go', because: 'go.mod' } : null;
}

async function detectCargo(files: ProjectFiles): Promise<Detected | null> {
  return files.has('Cargo.toml')
    ? { command: 'cargo test', tool: 'cargo', because: 'Cargo.toml' }
    : null;
}

async function detectMaven(files: ProjectFiles): Promise<Detected | null> {
  if (!files.has('pom.xml')) return null;
  const program = files.has('mvnw') ? './mvnw' : 'mvn';
  return { command: `${program} -B -q test`, tool: 'maven', because: 'pom.xml' };
}

async function detectGradle(files: ProjectFiles): Promise<Detected | null> {
  const because = [
    'build.gradle',
    'build.gradle.kts',
    'settings.gradle',
    'settings.gradle.kts',
  ].find(files.has);
  if (because === undefined) return null;
  return {
    command: `${files.has('gradlew') ? './gradlew' : 'gradle'} test`,
    tool: 'gradle',
    because,
  };
}

async function detectDotnet(files: ProjectFiles): Promise<Detected | null> {
  const because =
    files.paths.find(p => /^[^/]+\.(sln|slnx)$/.test(p)) ??
    files.paths.find(p => /\.(csproj|fsproj)$/.test(p));
  return because === undefined ? null : { command: 'dotnet test', tool: 'dotnet', because };
}

async function detectRake(files: ProjectFiles): Promise<Detected | null> {
  const text = (await files.read('Rakefile')) ?? '';
  const task =
    /\btask\s*\(?\s*:?["']?(test|spec)\b/.exec(text)?.[1] ??
    (/TestTask/.test(text) ? 'test' : /RSpec::Core::RakeTask/.test(text) ? 'spec' : null);
  if (task === null) return null;
  return {
    command: `${files.has('Gemfile') ? 'bundle exec ' : ''}rake ${task}`,
    tool: 'rake',
    because: 'Rakefile',
  };
}

async function detectMake(files: ProjectFiles): Promise<Detected | null> {
  const path = ['GNUmakefile', 'makefile', 'Makefile'].find(files.has);
  if (path === undefined) return null;
  const text = (await files.read(path)) ?? '';
  const target = ['test', 'check'].find(t => new RegExp(`^${t}\\s*:(?!=)`, 'm').test(text));
  return target === undefined ? null : { command: `make ${target}`, tool: 'make', because: path };
}
