/** Launchers are read by a grammar of their own options, which their own help confirms. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  behindLauncher,
  grammars,
  readScriptCall,
  readTargets,
} from '../../../src/ecosystems/commands/launchers.ts';

const split = (line: string) => line.split(' ');

describe('a package script is read', () => {
  it.each([
    ['npm test', 'test', ''],
    ['npm t', 'test', ''],
    ['npm run -s tests-only', 'tests-only', ''],
    ['npm -s run tests-only', 'tests-only', ''],
    ['npm --loglevel error test', 'test', ''],
    ['npm run --if-present unit -- --bail', 'unit', '--bail'],
    ['npm run unit a', 'unit', 'a'],
    ['yarn -s unit', 'unit', ''],
    ['pnpm --silent run unit', 'unit', ''],
    ['pnpm run --reporter=silent unit -- x', 'unit', 'x'],
    ['bun run --bun unit', 'unit', ''],
    ['bun --silent run unit', 'unit', ''],
  ])('from %s', (line, name, rest) => {
    const call = readScriptCall(split(line));
    expect([call?.name, call?.rest.join(' ')]).toEqual([name, rest]);
  });

  it.each([
    'npm ci',
    'npm run',
    'npm --prefix web test',
    'npm test -w packages/a',
    'npm run test --workspaces',
    'npm run --odd test',
    'yarn --cwd web test',
    'pnpm -r test',
    'pnpm --filter a test',
    'bun test',
    'bun run --filter a test',
    'mocha',
  ])('but not from %s', line => expect(readScriptCall(split(line))).toBeUndefined());
});

it.each([
  ['npx -y mocha', 'mocha'],
  ['npx --package=mocha mocha', 'mocha'],
  ['npm exec -- mocha', 'mocha'],
  ['pnpm exec mocha', 'mocha'],
  ['env -u A B=1 mocha', 'mocha'],
  ['cross-env A=1 mocha', 'mocha'],
  ['nyc --reporter text mocha', 'mocha'],
  ['node --no-warnings -r a b.js', 'b.js'],
  ['npx --odd mocha', undefined],
  ['mocha', undefined],
])('behind %s is %s', (line, program) => {
  const at = behindLauncher(split(line));
  expect(at === 0 ? undefined : split(line)[at]).toBe(program);
});

it.each([
  ['make -s -j4 test', 'test'],
  ['make -j 4 --no-print-directory A=1 check', 'check'],
  ['make -C web test', undefined],
  ['npm test', undefined],
])('the targets of %s are %s', (line, targets) =>
  expect(readTargets(split(line))?.join(' ')).toBe(targets),
);

/** The help of a launcher of this machine; undefined if it is not installed. */
function helpOf(name: string, args: readonly string[]): string | undefined {
  const { stdout, stderr, error } = spawnSync(name, args, { encoding: 'utf8' });
  return error === undefined ? `${stdout}${stderr}` : undefined;
}

// npm shows the options of a command alone, so only those of make, env and node are shown as a whole
describe.each([
  ['make', ['--help']],
  ['env', ['--help']],
  ['bun', ['--help']],
] as const)('%s', (name, args) => {
  const help = helpOf(name, args);
  it.skipIf(help === undefined)(`names its options in its help [needs ${name}]`, () => {
    const { flags, values } = grammars[name] ?? { flags: [], values: [] };
    const unknown = [...flags, ...values].filter(
      option => option !== '' && !new RegExp(`${option}(?![\\w-])`).test(help ?? ''),
    );
    expect(unknown).toEqual([]);
  });
});

it.each(['run', 'test', 'exec'])(
  'npm %s takes no option with a value that is read as a flag',
  verb => {
    const help = helpOf('npm', [verb, '--help']) ?? '';
    const valued = [...help.matchAll(/\[(-[\w-]+)(?:\|(-[\w-]+))? <[^>]+>/g)].flatMap(m => [
      m[1],
      m[2],
    ]);
    expect(valued.length).toBeGreaterThan(0);
    expect(valued.filter(option => grammars.npm?.flags.has(option ?? ''))).toEqual([]);
  },
);
