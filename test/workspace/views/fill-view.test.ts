/** Files in the folder of a view: copies, and single files. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PhotonError } from '../../../src/base/codes.ts';
import { findPrograms } from '../../../src/process/programs.ts';
import { copyFolder, placeFile } from '../../../src/workspace/views/fill-view.ts';
import { discard, makeFolder } from '../../harness.ts';

const programs = findPrograms(process.env.PATH ?? '', []);
let folder = '';
let from = '';
let to = '';
beforeEach(() => {
  folder = realpathSync(makeFolder());
  [from, to] = [join(folder, 'from'), join(folder, 'to')];
  for (const path of [from, to, join(folder, 'outside'), join(from, 'src', 'deep')])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, 'outside', 'secret'), 'secret');
  writeFileSync(join(from, 'src', 'deep', 'a.txt'), 'a');
});
afterEach(() => discard(folder));

const copy = () => copyFolder({ from, programs }, to);

describe('a copy', () => {
  it('holds files, folders and links, but no .git', async () => {
    mkdirSync(join(from, '.git'));
    await copy();
    expect(readFileSync(join(to, 'src', 'deep', 'a.txt'), 'utf8')).toBe('a');
    expect(existsSync(join(to, '.git'))).toBe(false);
  });

  it('never follows a link out of the checkout', async () => {
    symlinkSync(join(folder, 'outside'), join(from, 'out'));
    await copy();
    expect(lstatSync(join(to, 'out')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(to, 'out'))).toBe(join(folder, 'outside'));
  });

  it('copes with a link that leads nowhere and one that leads to itself', async () => {
    symlinkSync(join(folder, 'missing'), join(from, 'broken'));
    symlinkSync('loop', join(from, 'loop'));
    await copy();
    expect(readFileSync(join(to, 'src', 'deep', 'a.txt'), 'utf8')).toBe('a');
  });

  it('is an error of the disk if it cannot be written', async () => {
    writeFileSync(join(to, 'src'), 'in the way');
    await expect(copy()).rejects.toSatisfy(e => e instanceof PhotonError && e.code === 'DISK');
  });
});

it('a link of a commit becomes a link', () => {
  const state = { mode: '120000', bytes: Buffer.from('../outside/secret') } as const;
  placeFile(to, { path: 'a/link', state });
  expect(readlinkSync(join(to, 'a', 'link'))).toBe('../outside/secret');
});

it('a link on the way to a file is replaced by a folder, and what it led to stays as it was', () => {
  symlinkSync(join(folder, 'outside'), join(to, 'a'));
  const state = { mode: '100644', bytes: Buffer.from('new') } as const;
  placeFile(to, { path: 'a/secret', state });
  expect(readFileSync(join(folder, 'outside', 'secret'), 'utf8')).toBe('secret');
  expect(readFileSync(join(to, 'a', 'secret'), 'utf8')).toBe('new');
});
