import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { posixPlatform } from '../../../src/process/platform-posix.ts';
import { placeFile } from '../../../src/workspace/files/place-file.ts';
import { windowsOf } from '../../doubles/windows.ts';
import { discard, makeFolder } from '../../harness.ts';

const windows = windowsOf().platform;

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

it('a link of a commit becomes a file with its target, as git does it there', () => {
  const state = { mode: '120000', bytes: Buffer.from('../outside/secret') } as const;
  placeFile(to, { path: 'a/link', state, platform: windows });
  expect(lstatSync(join(to, 'a', 'link')).isFile()).toBe(true);
  expect(readFileSync(join(to, 'a', 'link'), 'utf8')).toBe('../outside/secret');
  placeFile(to, { path: 'a/link', state, platform: posixPlatform });
  expect(lstatSync(join(to, 'a', 'link')).isSymbolicLink()).toBe(true);
});

it('a link on the way to a file is replaced by a folder, and what it led to stays as it was', () => {
  symlinkSync(join(folder, 'outside'), join(to, 'a'));
  const state = { mode: '100644', bytes: Buffer.from('new') } as const;
  placeFile(to, { path: 'a/secret', state, platform: windows });
  expect(readFileSync(join(folder, 'outside', 'secret'), 'utf8')).toBe('secret');
  expect(readFileSync(join(to, 'a', 'secret'), 'utf8')).toBe('new');
});
