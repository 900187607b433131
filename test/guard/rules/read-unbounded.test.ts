/** The rows of READ_UNBOUNDED. */
import { describe, expect, it } from 'vitest';
import { readUnbounded } from '../../../src/guard/rules/read-unbounded.ts';
import { file, type Given, judge, missing, playRows, read, strict } from './cases.ts';

const more = (text: string): Given['facts'] => ({ [text]: missing });

playRows(readUnbounded, 'violation READ_UNBOUNDED §3.1', [
  [
    'a folder',
    [read('src', 1)],
    'src is a folder',
    { policy: strict, facts: { src: { ...missing, kind: 'folder' } } },
  ],
  [
    'a command that prints what no word names',
    [{ kind: 'print', path: '' }],
    'read_code_block would print files that no word of it names',
    { policy: strict },
  ],
  ['a command that prints a file', [{ kind: 'print', path: 'a.js' }], 'pass', { policy: strict }],
  ['such a command by default', [{ kind: 'print', path: '' }], 'pass'],
  ['the root', [read('.', 1)], '. is a folder', { policy: strict }],
  ['nothing at all', [read('', 1)], '. is a folder', { policy: strict }],
  [
    'a star',
    [read('*.js', 1)],
    '*.js is a pattern, not a file',
    { policy: strict, facts: more('*.js') ?? {} },
  ],
  [
    'a file with such a name',
    [read('*.js', 1)],
    'pass',
    { policy: strict, facts: { '*.js': file }, evidence: { navigatedFiles: new Set(['*.js']) } },
  ],
  ['the names of the root', [read('.', 1)], 'pass'],
  ['a pattern whose names are shown', [read('*.js', 1)], 'pass', { facts: more('*.js') ?? {} }],
  [
    'listing a folder is no read',
    [{ kind: 'navigate', path: 'src' }],
    'pass',
    { facts: { src: { ...missing, kind: 'folder' } } },
  ],
]);

describe('READ_UNBOUNDED by itself', () => {
  it('leaves the rest to others', () => {
    const byLetter = { policy: strict };
    expect(judge(readUnbounded, [read('../*', 1)], byLetter)).toBeUndefined();
    expect(judge(readUnbounded, [read('plain.js', 1)], byLetter)).toBeUndefined();
    expect(judge(readUnbounded, [read('*', 1)], byLetter)).toBe('* is a pattern, not a file');
  });
});
