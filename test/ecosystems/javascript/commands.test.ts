import { describe, expect, it } from 'vitest';
import { plainCommand, shellLine } from '../../../src/ecosystems/commands/parse-command.ts';
import {
  isPackagedRunner,
  parseNodeTest,
  runnerFile,
} from '../../../src/ecosystems/javascript/commands.ts';

describe('test commands', () => {
  it('knows node:test, and what starts Python in an environment', () => {
    const of = (line: string) => plainCommand(line, undefined) ?? { env: [], words: [] };
    expect(parseNodeTest(of('node --import tsx --test --test-reporter dot src').words)).toEqual({
      flags: ['--import', 'tsx'],
      testFlags: [],
      files: ['src'],
    });
    expect(parseNodeTest(of('node index.js').words)).toBeUndefined();
    for (const front of ['uv run', 'uv run --frozen --extra test', 'poetry run', 'pipenv run -q']) {
      const plain = of(`${front} pytest tests`);
      expect(plain).toEqual({ env: [], front: front.split(' '), words: ['pytest', 'tests'] });
      expect(shellLine(plain)).toBe(`${front} pytest tests`);
    }
    expect(of('uv run').words).toEqual(['uv', 'run']);
  });
});

it('knows the runners that a package brings as a program, by their whole name', () => {
  const names = ['vitest', 'jest', 'mocha', 'jest-cli', 'my-mocha', 'node', ''];
  expect(names.filter(isPackagedRunner)).toEqual(['vitest', 'jest', 'mocha']);
});

it.each([
  ['node_modules/.bin/vitest', 'vitest'],
  ['./node_modules/jest/bin/jest.js', 'jest'],
  ['node_modules/mocha/bin/mocha', 'mocha'],
])('the file %s is the program %s', (path, name) => {
  expect(runnerFile.exec(path)?.[1]).toBe(name);
});

it.each([
  'node_modules/.bin/vitest-ui',
  'packages/a/node_modules/.bin/jest',
  'node_modules/jest-cli/bin/jest.js',
  'src/mocha.js',
])('the file %s is none', path => {
  expect(path).not.toMatch(runnerFile);
});
