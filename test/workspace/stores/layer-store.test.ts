import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { layerLimits, openLayerStore } from '../../../src/workspace/stores/layer-store.ts';
import { discard, makeFolder } from '../../harness.ts';

const keyOf = (n: number) => String(n).repeat(64);
const now = Date.now();
const signal = new AbortController().signal;
const programs = findPrograms(process.env.PATH ?? '', []);
let folder: string;
let kept: string;

beforeEach(() => {
  folder = makeFolder();
  kept = join(folder, 'kept');
});
afterEach(() => discard(folder));

const open = (limits = {}) =>
  openLayerStore({
    folder: kept,
    notIn: [join(folder, 'checkout')],
    notAbove: [join(folder, 'checkout')],
    programs,
    now: () => now,
    limits: { ...layerLimits, ...limits },
  });

function layers(text = 'x') {
  const path = join(folder, 'from');
  mkdirSync(join(path, 'a'), { recursive: true });
  writeFileSync(join(path, 'a', 'file'), text);
  return { folder: path, names: ['a'] };
}
const names = () => readdirSync(kept).filter(name => !name.startsWith('.photon'));

async function restored(key: string) {
  const found = await open().find(key);
  if (found.kind !== 'found') return found;
  const into = { folder: join(folder, 'into'), names: ['a'] };
  mkdirSync(join(into.folder, 'a'), { recursive: true });
  await found.restore(into, signal);
  found.close();
  return readFileSync(join(into.folder, 'a', 'file'), 'utf8');
}

it('what was kept comes back, and another key finds nothing', async () => {
  await open().save(keyOf(1), layers(), signal);
  expect(await restored(keyOf(1))).toBe('x');
  expect(await restored(keyOf(2))).toEqual({ kind: 'none' });
});

it.each([
  [
    'an altered byte',
    (path: string) => {
      const bytes = readFileSync(path);
      bytes.writeUInt8(bytes.readUInt8(600) ^ 1, 600);
      writeFileSync(path, bytes);
    },
    'does not have the content',
  ],
  [
    'a cut end',
    (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 1000)),
    'does not have the content',
  ],
  ['an age of more than 30 days', (path: string) => utimesSync(path, 0, 0), 'is too old'],
])('%s is named, and is no result', async (_what, alter, reason) => {
  const name = await open().save(keyOf(1), layers(), signal);
  alter(join(kept, name));
  expect(await restored(keyOf(1))).toMatchObject({
    kind: 'damaged',
    reason: expect.stringContaining(`${name} ${reason}`),
  });
});

it('the content of another key, and a link, are no result', async () => {
  const name = await open().save(keyOf(1), layers(), signal);
  symlinkSync(join(kept, name), join(kept, `${keyOf(2)}-${name.slice(65)}`));
  expect(await restored(keyOf(2))).toEqual({ kind: 'none' });
});

it('an interrupted save leaves nothing that is read, and the next one clears it away', async () => {
  const store = open();
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(store.save(keyOf(1), layers(), stopped)).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(names()).toEqual([]);
  // as after a kill: the archive is whole, and was not renamed
  const name = await store.save(keyOf(1), layers(), signal);
  mkdirSync(join(kept, '.saving-abcdef'));
  renameSync(join(kept, name), join(kept, '.saving-abcdef', 'archive'));
  expect(await restored(keyOf(1))).toEqual({ kind: 'none' });
  utimesSync(join(kept, '.saving-abcdef'), 0, 0);
  await store.save(keyOf(2), layers(), signal);
  expect(names()).toHaveLength(1);
});

it.each([
  ['number', { entries: 2 }],
  ['size', { totalBytes: 25_000 }],
])('beyond the limit of %s, the oldest are removed', async (_what, limits) => {
  const store = open(limits);
  for (const n of [1, 2, 3]) {
    const name = await store.save(keyOf(n), layers(), signal);
    const seconds = now / 1000 - 100 + n;
    if (n < 3) utimesSync(join(kept, name), seconds, seconds);
  }
  expect(
    names()
      .map(name => name[0])
      .sort(),
  ).toEqual(['2', '3']);
});

it('one that is too large is not kept', async () => {
  const store = open({ entryBytes: 5_000 });
  await expect(store.save(keyOf(1), layers('x'.repeat(6_000)), signal)).rejects.toThrow(
    'larger than',
  );
  expect(names()).toEqual([]);
});

it.each(['checkout', 'checkout/.cache', '.'])('the folder %s is refused', name => {
  mkdirSync(join(folder, 'checkout'));
  kept = join(folder, name);
  expect(open).toThrow(/lies in .* or contains it/);
});

it('a folder below a link into the checkout is refused', () => {
  mkdirSync(join(folder, 'checkout'));
  symlinkSync(join(folder, 'checkout'), join(folder, 'link'));
  kept = join(folder, 'link', 'kept');
  expect(open).toThrow(/lies in/);
});

it('a folder that others can write to is not trusted', () => {
  mkdirSync(kept);
  chmodSync(kept, 0o777);
  expect(open().distrust).toBe('other users can write to the folder');
});
