/** Tests the stages of a test command. */
import { expect, it } from 'vitest';
import { findTestStage, listStages } from '../../../src/ecosystems/commands/stages.ts';

const manifest = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });
const names = (command: string, text: string | undefined) =>
  listStages(command, text).map(s => s.name);

it.each<[string, string, string | undefined, readonly string[]]>([
  [
    'a lint before the tests',
    'npm test',
    manifest({ test: 'eslint . && mocha' }),
    ['eslint .', 'mocha'],
  ],
  [
    'scripts around the script',
    'npm run unit',
    manifest({ preunit: 'tsc', unit: 'node --test', postunit: 'xo' }),
    ['tsc', 'node --test', 'xo'],
  ],
  ['a plain command', 'eslint . && mocha', undefined, ['eslint .', 'mocha']],
  ['quotes', 'npm test', manifest({ test: "a 'x && y' && b" }), ['npm test']],
  ['one command', 'npm test', manifest({ test: 'mocha' }), ['npm test']],
  ['a shell that decides', 'npm test', manifest({ test: 'a || b && c' }), ['npm test']],
  ['a folder that changes', 'cd web && npm test', undefined, ['cd web && npm test']],
  ['arguments', 'npm test -- --grep x', manifest({ test: 'a && b' }), ['npm test -- --grep x']],
  [
    'a yarn without scripts around one',
    'yarn test',
    manifest({ pretest: 'a', test: 'b && c' }, { packageManager: 'yarn@4.1.0' }),
    ['b', 'c'],
  ],
])('stages of %s', (_name, command, text, stages) => expect(names(command, text)).toEqual(stages));

it('a stage of a script finds the programs of the project', () =>
  expect(listStages('npm test', manifest({ test: "a 'b c' && d" }))[0]?.line).toBe(
    `PATH="$PWD/node_modules/.bin:$PATH" sh -c 'a '\\''b c'\\'''`,
  ));

it.each<[string, string, Record<string, string>, string, readonly string[]]>([
  ['a build', 'npm test', { test: 'tsc && node --test dist' }, 'node --test dist', ['tsc']],
  [
    'pretest',
    'npm test',
    { pretest: 'npm run build', build: 'tsc -b', test: 'mocha' },
    'mocha',
    ['tsc -b'],
  ],
  ['a check', 'npm test', { test: 'eslint . && tsc --noEmit && npx mocha && xo' }, 'npx mocha', []],
  [
    'checks in scripts',
    'npm test',
    { lint: 'xo', test: 'npm run lint && npm run unit', unit: 'vitest' },
    'vitest',
    [],
  ],
  ['what is unknown', 'sh prepare && pytest', {}, 'pytest', ['sh prepare']],
])('the tests run behind %s', (_name, command, scripts, test, builds) =>
  expect(findTestStage(command, manifest(scripts))).toMatchObject({ command: test, builds }),
);

it.each(['node --test && mocha', 'make check', 'cd web && mocha'])(
  'no stage alone runs tests in %s',
  command => expect(findTestStage(command, undefined)).toBeUndefined(),
);
