import { describe, expect, it } from 'vitest';
import { findKeptPart } from '../../../src/verify/set-up/set-up-cache.ts';
import { plainSetUp } from '../changes.ts';

const files = { 'package-lock.json': '1', 'src/a.js': '2', 'src/b.c': '3' };

interface Given {
  readonly command?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly scripts?: boolean;
  readonly facts?: Readonly<Record<string, string>>;
  readonly node?: string;
}

function partOf({
  command = 'npm ci',
  scripts = false,
  facts = { LANG: 'C' },
  ...given
}: Given = {}) {
  const entries = Object.entries(given.files ?? files).map(
    ([path, oid]) => [path, { mode: '100644', oid }] as const,
  );
  const setUp = { ...plainSetUp, installsRunScripts: scripts };
  const program = (name: string) => (name === 'node' ? (given.node ?? 'v24') : '');
  return findKeptPart(command, { setUp, entries: new Map(entries) }, { facts, program });
}
const keyOf = (given: Given) => partOf(given).key;

describe('the key of an installation', () => {
  it.each([
    ['a lock file', { files: { ...files, 'package-lock.json': 'x' } }],
    ['a manifest more', { files: { ...files, 'web/package.json': 'x' } }],
    ['a source that it compiles', { files: { ...files, 'src/b.c': 'x' } }],
    ['the command', { command: 'npm ci --omit=dev' }],
    ['a variable or the system', { facts: { LANG: 'de' } }],
    ['the version of Node', { node: 'v26' }],
  ] as const)('depends on %s', (_what, given) => {
    expect(keyOf(given)).not.toBe(keyOf({}));
  });

  it('does not depend on other files', () => {
    expect(keyOf({ files: { ...files, 'src/a.js': 'x', 'src/new.js': 'x' } })).toBe(keyOf({}));
  });

  it.each([
    ['an installation that runs scripts of the project', { scripts: true }],
    ['a command that is no installation', { command: 'make deps' }],
    ['a command that needs a shell', { command: 'npm ci || npm i' }],
  ] as const)('depends on every file for %s', (_what, given) => {
    expect(keyOf({ ...given, files: { ...files, 'src/a.js': 'x' } })).not.toBe(keyOf(given));
  });
});

it.each([
  ['npm ci', 'npm ci', ''],
  ['npm ci && npm run build', 'npm ci', 'npm run build'],
  ['uv sync && npm ci && make && npm i', 'uv sync && npm ci', 'make && npm i'],
  ['cd web && npm ci', 'cd web && npm ci', ''],
  ['npm ci; make', 'npm ci; make', ''],
])('of %s, the result of %s is kept', (command, kept, rest) => {
  expect(partOf({ command })).toMatchObject({ command: kept, rest });
});
