import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { locate } from '../../../src/workspace/files/locate.ts';
import { discard, makeFolder } from '../../harness.ts';

const folders: string[] = [];
afterAll(() => folders.forEach(discard));

let folder: string;
beforeEach(() => {
  folder = makeFolder();
  folders.push(folder);
});

const at = (...path: string[]) => join(folder, ...path);

function make(...path: string[]): string {
  mkdirSync(at(...path), { recursive: true });
  return at(...path);
}

describe('a path with links', () => {
  it('is mounted at its real path, with the links that lead there', () => {
    make('real/deep');
    symlinkSync('real', at('one'));
    symlinkSync(at('one'), at('two'));
    expect(locate(at('two/deep'), [])).toEqual({
      at: at('real/deep'),
      from: at('real/deep'),
      links: [
        { at: at('two'), to: at('one') },
        { at: at('one'), to: 'real' },
      ],
    });
  });

  it('is not located when it is missing or circular', () => {
    symlinkSync('b', at('a'));
    symlinkSync('a', at('b'));
    expect(locate(at('a'), [])).toBeUndefined();
    expect(locate(at('nothing'), [])).toBeUndefined();
  });

  it('is shown as written below a folder of the view', () => {
    make('versions/1');
    symlinkSync('versions/1', at('current'));
    const found = locate(at('current/x'), [folder]);
    expect(found).toBeUndefined();
    make('versions/1/x');
    expect(locate(at('current/x'), [folder])).toEqual({
      at: at('current/x'),
      from: at('versions/1/x'),
      links: [],
    });
  });
});
