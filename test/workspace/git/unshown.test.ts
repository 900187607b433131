import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  findUnshown,
  findUntrackedCredentials,
  isNamed,
  namesInside,
} from '../../../src/workspace/git/unshown.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));
const checkout = join(folder, 'repo');
for (const path of ['.git', '.ssh', 'sub/.git', 'src', 'node_modules/x/.git'])
  mkdirSync(join(checkout, path), { recursive: true });
for (const path of ['.netrc', 'gha-creds-1a.json', 'src/.env', 'src/a.js', 'key.pem'])
  writeFileSync(join(checkout, path), '');
symlinkSync(checkout, join(folder, 'link'));

const unshown = (more: object = {}, tracked: readonly string[] = []) => {
  const hiding = {
    checkout,
    own: join(folder, 'photon'),
    withheld: (path: string) => path.endsWith('.env'),
    credentials: ['key.pem'],
    shown: [],
    ...more,
  };
  return [...findUnshown(hiding, path => tracked.includes(path))].sort();
};

describe('what no view shows', () => {
  const all = ['.netrc', '.ssh', 'gha-creds-1a.json', 'key.pem', 'src/.env', 'sub/.git'];

  it('are credentials, nested git folders, and what is withheld', () => {
    expect(unshown()).toEqual(all);
  });

  it('is no tracked file, and none that is shown all the same', () => {
    expect(unshown({}, ['.netrc'])).toEqual(all.filter(path => path !== '.netrc'));
    expect(unshown({ shown: ['.ssh', 'key.pem'] })).toEqual(
      all.filter(path => path !== '.ssh' && path !== 'key.pem'),
    );
  });

  it('is Photon itself, once, when it lies in the checkout', () => {
    expect(unshown({ own: join(checkout, 'src') })).toEqual([
      ...all.filter(path => !path.startsWith('src/')).slice(0, 4),
      'src',
      'sub/.git',
    ]);
  });
});

it('paths of the machine are named by their place in the checkout', () => {
  expect(
    namesInside(checkout, [join(checkout, 'src'), join(folder, 'link/src'), '/none', './a/']),
  ).toEqual(['src', 'src', 'a']);
});

it('a list names a path itself, or a folder above it', () => {
  expect(isNamed('a/b', ['a'])).toBe(true);
  expect(isNamed('a', ['a'])).toBe(true);
  expect(isNamed('ab', ['a'])).toBe(false);
});

it('a link to a folder beside the checkout, whose name begins like it, names nothing inside', async () => {
  const [top, beside] = [join(folder, 'clone'), join(folder, 'clone-x')];
  for (const path of [top, beside]) mkdirSync(path);
  writeFileSync(join(beside, '.env'), 'API_KEY=s3cr3t-0a1b2c3d4e\n');
  symlinkSync(join(beside, '.env'), join(top, '.env'));
  const found = await findUntrackedCredentials({
    git: async () => ({ stdout: Buffer.alloc(0), stderr: '', exitCode: 1, truncated: false }),
    checkout: top,
    tree: 'HEAD',
    entries: new Map(),
    own: join(folder, 'photon'),
    unneeded: [],
  });
  expect(found.paths).toEqual(['.env']);
});
