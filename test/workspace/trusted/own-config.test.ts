import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readOwnConfig } from '../../../src/workspace/trusted/own-config.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

function config(base: string): string {
  mkdirSync(join(folder, base, 'photon'), { recursive: true });
  writeFileSync(join(folder, base, 'photon/config.json'), `"${base}"`);
  return join(folder, base, 'photon/config.json');
}

const top = join(folder, 'repo');
mkdirSync(top);
const atHome = config('home/.config');
const named = config('named');
config('repo/config');
symlinkSync(join(top, 'config'), join(folder, 'link'));

it('lies where XDG_CONFIG_HOME says, or in the home', () => {
  const home = join(folder, 'home');
  expect(readOwnConfig({ HOME: home }, top)).toEqual({ path: atHome, text: '"home/.config"' });
  expect(readOwnConfig({ HOME: home, XDG_CONFIG_HOME: join(folder, 'named') }, top)).toEqual({
    path: named,
    text: '"named"',
  });
});

it('is no file of the repository, and none below a relative folder', () => {
  expect(readOwnConfig({ XDG_CONFIG_HOME: join(top, 'config') }, top)).toBeUndefined();
  expect(readOwnConfig({ XDG_CONFIG_HOME: join(folder, 'link') }, top)).toBeUndefined();
  expect(readOwnConfig({ HOME: 'home' }, top)).toBeUndefined();
  expect(readOwnConfig({ HOME: join(folder, 'none') }, top)).toBeUndefined();
});
