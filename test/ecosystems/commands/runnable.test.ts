/** Tests what is known of a test command before it runs, and from a run that could not start. */
import { describe, expect, it } from 'vitest';
import {
  findProofCommands,
  findUnrunnable,
  throughCorepack,
  unrunnableBy,
} from '../../../src/ecosystems/commands/runnable.ts';
import { filesOf } from '../../layouts/layout.ts';

interface Case {
  readonly command?: string;
  readonly setupCommand?: string;
  readonly manifest?: object;
  readonly paths?: readonly string[];
  readonly programs?: readonly string[];
  /** Paths that are not tracked. */
  readonly installed?: readonly string[];
}

function machine({ manifest, paths = [], programs = [], installed = [] }: Case) {
  const all = manifest === undefined ? paths : ['package.json', ...paths];
  const files = {
    paths: all,
    has: (path: string) => all.includes(path),
    read: async (path: string) =>
      path === 'package.json' && manifest !== undefined ? JSON.stringify(manifest) : undefined,
  };
  const known = ['npm', 'node', 'grep', ...programs];
  return {
    files,
    installed: {
      hasProgram: (name: string) => known.includes(name),
      exists: (path: string) => installed.includes(path),
    },
  };
}

async function lacks(about: Case): Promise<string | undefined> {
  const { files, installed } = machine(about);
  const { command = 'npm test', setupCommand = '' } = about;
  const found = await findUnrunnable({ command, setupCommand }, files, installed);
  return found === undefined ? undefined : `${found.why} ${found.cure}`;
}

const script = (test: string, more: object = {}) => ({ scripts: { test }, ...more });
const packages = { dependencies: { left: '^1.0.0' } };

it('a test command is detected in the working directory', async () => {
  const { files, installed } = machine({ manifest: script('node --test') });
  const texts: Record<string, string> = {
    'package.json': JSON.stringify(script('node --test')),
    'packages/api/package.json': JSON.stringify(script('node --test api')),
  };
  const both = {
    paths: Object.keys(texts),
    has: (path: string) => path in texts,
    read: async (path: string) => texts[path],
  };
  const find = (folder: string, of: typeof files = both) =>
    findProofCommands(
      { command: '', setupCommand: '', folder },
      { files: of, named: [], installed },
    );
  expect((await find(''))?.command).toBe('npm test');
  expect((await find('packages/api'))?.command).toMatch(/^cd packages\/api && npm test/);
  expect(await find('packages/none')).toBeUndefined();
});

describe('a detected command of Python', () => {
  const python = '.venv/bin/python';
  const inVenv = [python, '.venv/bin/pytest'];
  const inFolder = inVenv.map(path => path.replace('.venv', 'venv'));
  const ini = { 'pytest.ini': '' };
  const inApi = { 'api/pytest.ini': '' };
  const ofCi = 'on: push\njobs:\n  a:\n    steps:\n      - run: pytest tests\n';
  it.each<[string, Record<string, string>, readonly string[], string]>([
    ['the machine', ini, [], 'python3 -m pytest'],
    ['its environment', ini, inVenv, '.venv/bin/python -m pytest'],
    ['venv', ini, inFolder, 'venv/bin/python -m pytest'],
    ['the machine, if the runner is not there', ini, [python], 'python3 -m pytest'],
    ['the machine, if it is tracked', { ...ini, [python]: '' }, inVenv, 'python3 -m pytest'],
    ['the machine, if it is a tracked link', { ...ini, '.venv': '' }, inVenv, 'python3 -m pytest'],
    ['that in the root, from a folder', inApi, inVenv, 'cd api && ../.venv/bin/python -m pytest'],
    [
      'that in the folder',
      inApi,
      [...inVenv, ...inFolder.map(path => `api/${path}`)],
      'cd api && venv/bin/python -m pytest',
    ],
    ['what manages it', { ...ini, 'uv.lock': '' }, inVenv, 'uv run pytest'],
    [
      'its environment as CI runs it',
      { '.github/workflows/a.yml': ofCi, 'tests/x.py': '' },
      inVenv,
      '.venv/bin/python -m pytest tests',
    ],
    ['that for unittest', { 'test_a.py': 'import unittest\n' }, [python], `${python} -m unittest`],
  ])('is started by %s', async (_who, texts, present, command) => {
    const files = filesOf(texts);
    const exists = (path: string) => present.includes(path);
    const environment = { files, named: [], installed: { hasProgram: () => true, exists } };
    const found = await findProofCommands({ command: '', setupCommand: '' }, environment);
    expect(found?.command).toBe(command);
    const own = await findProofCommands({ command: '', setupCommand: 'make env' }, environment);
    expect(own?.command).not.toContain('venv');
  });
});

describe('a test command that cannot run', () => {
  it.each<[string, Case, RegExp]>([
    ['a program', { command: 'cargo test' }, /starts "cargo".*PATH\. Install cargo in a step/],
    [
      'pnpm, with corepack',
      { command: 'pnpm test', programs: ['corepack'] },
      /"corepack pnpm test"/,
    ],
    [
      'a local program',
      { command: 'mocha', installed: ['node_modules/.bin/mocha'] },
      /"npx mocha"/,
    ],
    [
      'a file',
      { command: 'vendor/bin/phpunit' },
      /starts "vendor\/bin\/phpunit", which does not exist/,
    ],
    ['a script', { manifest: {} }, /package script "test", which package\.json does not have/],
    [
      'a script, beside a set-up',
      { command: 'npm run unit', setupCommand: 'npm ci', manifest: {} },
      /"unit"/,
    ],
    ['a script behind options', { manifest: script('npm run -s lint') }, /"lint"/],
    ['a script of a script', { manifest: script('npm run lint && node --test') }, /"lint"/],
    ['the manifest', {}, /no valid package\.json/],
    [
      'a program of a script',
      { manifest: script('NODE_ENV=test mocha') },
      /"npm test" starts "mocha"/,
    ],
    [
      'a program of pretest',
      { manifest: { scripts: { pretest: 'eslint .', test: 'node --test' } } },
      /"npm test" starts "eslint"/,
    ],
    [
      'packages, with a lock file',
      { manifest: script('node --test', packages), paths: ['package-lock.json'] },
      /lists dependencies \(left\).*setup-command to "npm ci" and network to setup/,
    ],
  ])('lacks %s', async (_name, about, message) => expect(await lacks(about)).toMatch(message));

  it.each<[string, Case]>([
    [
      'a program of a package',
      { manifest: script('mocha'), installed: ['node_modules/.bin/mocha'] },
    ],
    ['packages', { manifest: script('node --test', packages), installed: ['node_modules'] }],
    ['plug and play', { manifest: script('node --test', packages), installed: ['.pnp.cjs'] }],
    ['packages of its own', { manifest: script('node --test', { dependencies: { a: 'file:a' } }) }],
    [
      'development packages alone',
      { manifest: script('node --test', { devDependencies: { a: '1' } }) },
    ],
    ['a set-up command', { setupCommand: 'npm ci', manifest: script('mocha', packages) }],
    ['another folder', { command: 'cd web && npm test' }],
    ['an option that chooses the package', { command: 'npm test --prefix web', manifest: {} }],
    ['a shell that decides', { command: 'mocha || true', manifest: script('x | y') }],
    [
      'a script behind an option',
      { manifest: { scripts: { test: 'npm run -s x', x: 'node --test' } } },
    ],
    ['a script that may be absent', { command: 'npm run --if-present x', manifest: {} }],
    ['a program that a build makes', { command: 'make && ./build/tests', programs: ['make'] }],
    ['a program that is installed before', { command: 'npm ci && mocha', manifest: {} }],
    ['a builtin', { command: 'test -f a && [ -f b ]' }],
    ['a file of the project', { command: './check', paths: ['check'] }],
    [
      'a script that installs',
      { manifest: { scripts: { pretest: 'npm ci', test: 'mocha' }, ...packages } },
    ],
  ])('has %s', async (_name, about) => expect(await lacks(about)).toBeUndefined());
});

it.each([
  ['pnpm test', 'pnpm@9.0.0', ['corepack'], 'corepack pnpm test'],
  ['yarn install', 'yarn@4.1.0', ['corepack'], 'corepack yarn install'],
  ['pnpm test', 'pnpm@9.0.0', ['corepack', 'pnpm'], 'pnpm test'],
  ['pnpm test', 'yarn@4.1.0', ['corepack'], 'pnpm test'],
  ['pnpm test', 'pnpm@9.0.0', [], 'pnpm test'],
])('%s, for %s with %j, is %4$s', async (line, packageManager, programs, used) => {
  const { files, installed } = machine({ manifest: { packageManager }, programs });
  expect(await throughCorepack(line, files, installed)).toBe(used);
});

it.each<[number, string, RegExp | undefined]>([
  [127, '> shop@1.0.0 test\n> mocha\n\nsh: 1: mocha: not found\n', /Install mocha in a step/],
  [127, 'sh: line 1: pnpm: command not found\n', /corepack enable/],
  [126, 'sh: 1: ./check: Permission denied\n', /git update-index --chmod=\+x/],
  [1, '/usr/bin/python3: No module named pytest\n', /No module named pytest/],
  [
    1,
    'sh: 1: mocha: not found\n ELIFECYCLE  Test failed. See above for more details.\n',
    /Install mocha/,
  ],
  [1, 'sh: 1: mocha: not found\n', undefined],
  [1, "ModuleNotFoundError: No module named 'shop'\n", undefined],
  [2, 'sh: 1: mocha: not found\n', undefined],
])('exit status %i with %j', (exitCode, outputTail, message) => {
  const found = unrunnableBy({ command: 'npm test', exitCode, outputTail });
  if (message === undefined) expect(found).toBeUndefined();
  else expect(`${found?.why} ${found?.cure}`).toMatch(message);
});

it.each(['corepack pnpm -r test', 'npm test --workspaces --if-present'])(
  '%s needs the development packages of the workspace',
  async command => {
    const manifest = script('vitest run', { devDependencies: { vitest: '^4.0.0' } });
    const about = { command, manifest, programs: ['corepack'] };
    expect(await lacks(about)).toContain(
      'lists dependencies (vitest), and there is no node_modules',
    );
    expect(await lacks({ ...about, installed: ['node_modules'] })).toBeUndefined();
    expect(await lacks({ ...about, setupCommand: 'npm ci' })).toBeUndefined();
  },
);
