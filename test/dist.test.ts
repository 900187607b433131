import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { grammars } from '../src/navigation/languages.ts';
import { discard, makeFolder, root } from './harness.ts';
import { isAll } from './seed.ts';

const dist = join(root, 'dist');
const folder = makeFolder();
afterAll(() => discard(folder));

/** The files of a folder, each with its bytes. */
const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
    .map(name => [name.slice(path.length + 1), readFileSync(name)] as const);

/** True for a part of the program that is loaded at its first use. */
const isPart = (name: string) => /^\d+\.index\.js$/.test(name);

interface Part {
  readonly modules: Readonly<Record<string, unknown>>;
}

/** The parts of Node that a command of the terminal loads. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const hook = join(folder, 'list.cjs');
  const out = join(folder, 'loaded.json');
  const list = `JSON.stringify(process.moduleLoadList)`;
  writeFileSync(
    hook,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(out)}, ${list}));\n`,
  );
  const { status } = spawnSync(process.execPath, ['-r', hook, join(dist, 'photon.js'), ...args]);
  expect(status).toBe(0);
  return JSON.parse(readFileSync(out, 'utf8')) as string[];
}

describe('dist', () => {
  it('is one program in parts, its start at a terminal, and the grammars', () => {
    const names = filesOf(dist).flatMap(([name]) => (isPart(name) ? [] : [name]));
    const expected = [
      ...grammars.map(g => `grammars/tree-sitter-${g}.wasm.br`),
      'grammars/web-tree-sitter.js',
      'grammars/web-tree-sitter.wasm.br',
      ...['index.js', 'licenses.txt', 'package.json', 'photon.js'],
    ];
    expect(names).toEqual(expected.sort());
  });

  it('holds in two parts only what is too small for a part', async () => {
    const paths = filesOf(dist).flatMap(([name]) => (isPart(name) ? [join(dist, name)] : []));
    const parts = await Promise.all(paths.map(path => import(pathToFileURL(path).href)));
    const modules = parts.flatMap(part => Object.entries((part as Part).modules));
    expect(modules.length).toBeGreaterThan(500);
    const ids = modules.map(([id]) => id);
    const repeated = modules.filter(([id], at) => ids.indexOf(id) !== at);
    expect(repeated.map(([, code]) => String(code)).join('').length).toBeLessThan(25_000);
  });

  it('runs of the program only what a command needs', () => {
    const isStore = (name: string) => name === 'NativeModule sqlite';
    expect(loadedBy('run', '--help').filter(isStore)).toHaveLength(1);
    for (const small of ['--version', '--help', 'codes'])
      expect(loadedBy(small).filter(isStore)).toEqual([]);
  });

  it('holds no path of the machine that built it', () => {
    for (const [name, bytes] of filesOf(dist)) expect(bytes.includes(root), name).toBe(false);
  });

  it('names the licence of each package that is part of it', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Readonly<Record<string, string>>;
    };
    const lines = readFileSync(join(dist, 'licenses.txt'), 'utf8').split('\n');
    const names = [...Object.keys(dependencies), '@repomix/tree-sitter-wasms'];
    const isNamed = (name: string) =>
      lines.some((line, at) => line === name && /^[A-Z][\w.-]+$/.test(lines[at + 1] ?? ''));
    expect(names.filter(name => !isNamed(name))).toEqual([]);
  });

  // 30 seconds of processor time; `.ci/run` builds twice in the same folder
  it.runIf(isAll)('has the same bytes when another folder builds it', () => {
    const copy = join(folder, 'copy');
    const manifests = ['package.json', 'package-lock.json', 'tsconfig.json'];
    for (const name of ['src', '.ci', 'dist', ...manifests])
      cpSync(join(root, name), join(copy, name), { recursive: true });
    // hard links: a bundler resolves symbolic ones
    execFileSync('cp', ['-al', join(root, 'node_modules'), copy]);
    execFileSync(process.execPath, ['.ci/build.ts'], { cwd: copy });
    const built = filesOf(join(copy, 'dist'));
    const differing = filesOf(dist).filter(
      ([name, bytes], at) => name !== built[at]?.[0] || !built[at]?.[1].equals(bytes),
    );
    expect(built).toHaveLength(filesOf(dist).length);
    expect(differing.map(([name]) => name)).toEqual([]);
  });
});
