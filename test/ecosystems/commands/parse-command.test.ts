/** Test commands are parsed as by a shell, or refused. */
import { describe, expect, it } from 'vitest';
import {
  plainCommand,
  quoted,
  splitWords,
} from '../../../src/ecosystems/commands/parse-command.ts';

const manifest = (test: string, more: object = {}) =>
  JSON.stringify({ scripts: { test, ...more } });

describe('test commands', () => {
  it.each([
    ['node --test', ['node', '--test']],
    ['node --test "a b" c\'d\'', ['node', '--test', 'a b', 'cd']],
    ['node --test && rm x', undefined],
    ['node --test $(x)', undefined],
    ['node --test "$HOME"', undefined],
    ["node 'open", undefined],
  ])('%s', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  it('follows package scripts, and stops at a command that needs a shell or does not exist', () => {
    const words = (line: string, text: string | undefined) => plainCommand(line, text)?.words;
    expect(words('npm test', manifest('node --test'))).toEqual(['node', '--test']);
    expect(words('npm test', manifest('npm run unit', { unit: 'npx mocha' }))).toEqual(['mocha']);
    expect(words('npm run -s unit -- -x', manifest('', { unit: 'node --test' }))).toEqual([
      'node',
      '--test',
      '-x',
    ]);
    expect(words('corepack pnpm test', manifest('vitest run'))).toEqual(['vitest', 'run']);
    expect(words('npm test', manifest('tsc && node --test'))).toBeUndefined();
    expect(words('npm test', undefined)).toBeUndefined();
    expect(plainCommand('A=1 node --test', undefined)).toEqual({
      env: ['A=1'],
      words: ['node', '--test'],
    });
  });

  it('quotes for a shell', () => {
    expect(quoted('src/a.js')).toBe('src/a.js');
    expect(quoted("it's")).toBe("'it'\\''s'");
  });
});
