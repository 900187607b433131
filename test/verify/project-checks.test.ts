/** Type checkers and linters of a project: found by their configuration, and read from recorded output. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  detectChecks,
  errorsIn,
  newErrors,
  type ProjectCheck,
} from '../../src/verify/project-checks.ts';
import { root } from '../harness.ts';

const recorded = (name: string) =>
  readFileSync(join(root, 'test', 'fixtures', 'checks', name), 'utf8');

const nameOf = ({ command }: ProjectCheck) => command.split(' ', 1)[0] ?? '';
const namesIn = async (files: Readonly<Record<string, string>>) => {
  const read = async (path: string) => files[path];
  return (await detectChecks({ paths: Object.keys(files), read })).map(nameOf);
};

const all: Readonly<Record<string, string>> = {
  'package.json':
    '{"devDependencies":{"typescript":"1","eslint":"1","@biomejs/biome":"1"},"name":"x"}',
  'tsconfig.json': '{}',
  'eslint.config.mjs': '',
  'biome.json': '{}',
  'pyproject.toml': '[tool.mypy]\n[tool.ruff.lint]\n',
};
const checks = async () => detectChecks({ paths: Object.keys(all), read: async path => all[path] });

async function checkNamed(name: string): Promise<ProjectCheck> {
  const found = (await checks()).find(c => nameOf(c) === name);
  if (found === undefined) throw new Error(`no check ${name}`);
  return found;
}

const end = { began: true, limit: undefined, truncated: false, exitCode: 1 } as const;
const paths = ['price.py', 'pkg/price.py', 'src/price.js', 'src/price.ts'];

describe('the checks of a project', () => {
  it('are found by their configuration', async () => {
    expect(await namesIn(all)).toEqual(['tsc', 'eslint', 'biome', 'mypy', 'ruff']);
    expect(await namesIn({ 'tsconfig.json': '{}' })).toEqual([]);
    expect(await namesIn({ 'pyproject.toml': '[tool.poetry]\n' })).toEqual([]);
    expect(await namesIn({ 'mypy.ini': '', 'docs/ruff.toml': '' })).toEqual(['mypy']);
    expect(await namesIn({ 'setup.cfg': '[metadata]\n\n[mypy]\n' })).toEqual(['mypy']);
  });

  it.each([
    ['tsc', 'tsc-7.0.2.txt', ['src/price.ts:2 TS2322']],
    [
      'eslint',
      'eslint-10.15.0.json',
      ['src/price.js:2 no-unused-vars', 'src/price.js:3 no-debugger', 'src/price.js:4 no-undef'],
    ],
    [
      'biome',
      'biome-2.6.8.txt',
      [
        'src/price.js:1 parse',
        'src/price.js:1 lint/correctness/noInnerDeclarations',
        'src/price.js:3 lint/suspicious/noDebugger',
        'src/price.js:4 lint/suspicious/noDoubleEquals',
      ],
    ],
    ['mypy', 'mypy-1.0.1.txt', ['pkg/price.py:3 return-value', 'pkg/price.py:7 attr-defined']],
  ])('of %s are read from its output', async (name, file, expected) => {
    const found = errorsIn(await checkNamed(name), { ...end, output: recorded(file) }, paths);
    expect(found?.map(e => `${e.path}:${e.line} ${e.rule}`)).toEqual(expected);
    expect(found?.every(e => e.message.length > 10)).toBe(true);
  });

  it('of ruff are read from the shape that it documents', async () => {
    const one = { filename: '/project/pkg/price.py', message: 'unused', location: { row: 2 } };
    const output = JSON.stringify([
      { ...one, code: 'F401' },
      { ...one, code: null },
    ]);
    const found = errorsIn(await checkNamed('ruff'), { ...end, output }, paths);
    expect(found?.map(e => `${e.path}:${e.line} ${e.rule}`)).toEqual([
      'pkg/price.py:2 F401',
      'pkg/price.py:2 syntax',
    ]);
  });

  it('show nothing if they did not run to their end, or failed without an error', async () => {
    const check = await checkNamed('mypy');
    const output = recorded('mypy-1.0.1.txt');
    expect(errorsIn(check, { ...end, output, limit: 'time' }, paths)).toBeUndefined();
    expect(errorsIn(check, { ...end, output, truncated: true }, paths)).toBeUndefined();
    expect(
      errorsIn(check, { ...end, output: 'sh: mypy: not found', exitCode: 127 }, paths),
    ).toBeUndefined();
    expect(errorsIn(check, { ...end, output: 'Success', exitCode: 0 }, paths)).toEqual([]);
    const eslint = await checkNamed('eslint');
    for (const bad of ['', '[', '{"a":1}', '[{"filePath":1}]'])
      expect(errorsIn(eslint, { ...end, output: bad }, paths)).toBeUndefined();
    const noisy = `(node:1) Warning: old\n${recorded('eslint-10.15.0.json')}done\n`;
    expect(errorsIn(eslint, { ...end, output: noisy }, paths)).toHaveLength(3);
  });

  it('count as new if the base has them less often', () => {
    const error = { path: 'a.js', line: 1, rule: 'r', message: 'm' };
    const moved = { ...error, line: 9 };
    expect(newErrors([moved], [error])).toEqual([]);
    expect(newErrors([error, moved], [error])).toEqual([moved]);
  });
});
