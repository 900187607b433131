import { expect, it } from 'vitest';
import { isPackagedRunner, runnerFile } from '../../../src/ecosystems/javascript/programs.ts';

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
