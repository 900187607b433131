/** Which files the navigation of a run has led to, and to which a lookup can lead. */
import { describe, expect, it } from 'vitest';
import {
  type Access,
  findAccesses,
  findUnreached,
  isOfNothing,
  isReached,
} from '../../src/guard/reach.ts';
import { caseOf, file, missing, read, write } from './rules/cases.ts';

const folder = { ...missing, kind: 'folder' } as const;
const create = (path: string) => write(path, { change: 'replace', ranges: [] });
const facts = { 'b.js': file, 'c.js': missing, src: folder, '*.js': missing };

describe('accesses', () => {
  it('are reads and writes of single files', () => {
    const claims = [
      read('b.js'),
      read('src'),
      read('.'),
      read('*.js'),
      read('../x'),
      write('a.js'),
      { kind: 'navigate', path: 'b.js' } as const,
    ];
    const c = caseOf(claims, { facts });
    expect(findAccesses(c.call.claims, c).map(a => a.path)).toEqual(['b.js', '../x', 'a.js']);
  });
});

describe('a lookup', () => {
  const reach = (claims: Parameters<typeof caseOf>[0], more: object = {}) =>
    findUnreached(caseOf(claims, { facts, ...more }));

  it('can lead to tracked files and to new ones, each once', () => {
    expect(reach([read('b.js', 1), read('./b.js', 9), create('c.js')])).toEqual(['b.js', 'c.js']);
  });

  it('is needed for none that a look or the task led to', () => {
    expect(reach([read('a.js', 1)])).toEqual([]);
    const evidence = { navigatedFolders: new Set(['']) };
    expect(reach([create('c.js')], { evidence })).toEqual([]);
  });

  it('leads to nothing that is not there, is not tracked, or is no path', () => {
    expect(reach([read('c.js', 1), read('../x', 1), read('src', 1)])).toEqual([]);
    expect(reach([read('d.js', 1)], { facts: { 'd.js': { ...file, tracked: false } } })).toEqual(
      [],
    );
    expect(reach([read('unknown.js', 1)])).toEqual([]);
  });
});

describe('a file that does not exist', () => {
  const c = caseOf([], { facts, evidence: { navigatedFolders: new Set(['src']) } });
  const at = (path: string) => ({ kind: 'read', path }) as const;

  it('is found where its nearest folder was listed', () => {
    const here = { ...c, facts: new Map([['src/deep/x.js', { ...missing, lines: 0 }]]) };
    expect(isReached(at('src/deep/x.js'), here)).toBe(true);
    expect(isReached(at('c.js'), c)).toBe(false);
  });

  it('cannot be read, but written', () => {
    expect(isOfNothing(at('c.js'), c)).toBe(true);
    expect(isOfNothing(at('b.js'), c)).toBe(false);
    expect(isOfNothing({ ...at('c.js'), ...create('c.js') } as Access, c)).toBe(false);
  });
});
