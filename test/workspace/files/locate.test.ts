import { symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isRealFolder, locate } from '../../../src/workspace/files/locate.ts';
import { useTestFolder } from '../../doubles/test-folder.ts';

const { at, make } = useTestFolder();

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
    const found = locate(at('current/x'), [at()]);
    expect(found).toBeUndefined();
    make('versions/1/x');
    expect(locate(at('current/x'), [at()])).toEqual({
      at: at('current/x'),
      from: at('versions/1/x'),
      links: [],
    });
  });
});

it('a real folder is no link to one, no file, and nothing below a file', () => {
  make('folder');
  writeFileSync(at('file'), '');
  symlinkSync('folder', at('link'));
  const paths = ['folder', 'link', 'file', 'file/below', 'none'];
  expect(paths.filter(path => isRealFolder(at(path)))).toEqual(['folder']);
});
