import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchFolders } from '../../../src/workspace/views/file-effects.ts';
import { discard, makeFolder } from '../../harness.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
  for (const name of ['lower', 'upper', 'home']) mkdirSync(join(folder, name));
});
afterEach(() => discard(folder));

const write = (path: string, text = 'x') => writeFileSync(join(folder, path), text);
const watch = () =>
  watchFolders([
    { folder: join(folder, 'upper'), shownAs: '', lower: [join(folder, 'lower')] },
    { folder: join(folder, 'home'), shownAs: '~/', lower: [] },
  ]);

it('tells what was written from what was changed and deleted, and names the folder of each', () => {
  for (const path of ['lower/base.txt', 'upper/kept.txt', 'upper/gone.txt', 'upper/longer.txt'])
    write(path);
  const effects = watch();
  write('upper/base.txt');
  write('upper/longer.txt', 'xxx');
  write('upper/new.txt');
  write('home/.cache');
  rmSync(join(folder, 'upper/gone.txt'));
  expect(effects()).toEqual({
    written: { count: 2, paths: ['new.txt', '~/.cache'] },
    changed: { count: 2, paths: ['base.txt', 'longer.txt'] },
    deleted: { count: 1, paths: ['gone.txt'] },
  });
});

it('counts all and names a hundred', () => {
  const effects = watch();
  for (let i = 0; i < 130; i++) write(`upper/${i}`);
  const { count, paths } = effects()?.written ?? expect.fail('unknown');
  expect([count, paths.length]).toEqual([130, 100]);
});

it('does not know the effects when a folder cannot be read', () => {
  const effects = watch();
  rmSync(join(folder, 'home'), { recursive: true });
  expect(effects()).toBeUndefined();
});
