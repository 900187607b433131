import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { posixPlatform } from '../../src/process/platform-posix.ts';
import { findPrograms, findTop, programFiles } from '../../src/process/programs.ts';
import { windowsOf } from '../doubles/windows.ts';
import { discard, makeFolder } from '../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const checkout = join(folder, 'checkout');
const at = (name: string) => join(folder, name);

/** A folder that contains a git program. */
function withGit(name: string): string {
  mkdirSync(at(name), { recursive: true });
  writeFileSync(join(at(name), 'git'), '#!/bin/sh\n', { mode: 0o755 });
  return at(name);
}

withGit('checkout/bin');
mkdirSync(join(checkout, '.git'));
const good = withGit('good');
symlinkSync(join(checkout, 'bin'), at('to-checkout'));
symlinkSync(good, at('to-good'));
symlinkSync(good, join(checkout, 'to-good'));
mkdirSync(at('program-linked'));
symlinkSync(join(checkout, 'bin/git'), at('program-linked/git'));
mkdirSync(at('not-executable'));
writeFileSync(at('not-executable/git'), '');
mkdirSync(at('is-a-folder/git'), { recursive: true });
chmodSync(withGit('open-to-all'), 0o777);
withGit('checkout-beside');

const windows = windowsOf().platform;

it.each([
  ['', null],
  ['.', null],
  ['bin', null],
  ['../checkout/bin', null],
  [join(checkout, 'bin'), null],
  [`${checkout}/./bin/`, null],
  [`${good}/../checkout/bin`, null],
  [join(checkout, 'to-good'), null],
  [at('to-checkout'), null],
  [at('program-linked'), null],
  [at('not-executable'), null],
  [at('is-a-folder'), null],
  [at('open-to-all'), null],
  [at('missing'), null],
  // found: a folder, a link to one, and a neighbour whose name only starts the same
  [good, join(good, 'git')],
  [at('to-good'), join(good, 'git')],
  [at('checkout-beside'), join(at('checkout-beside'), 'git')],
  [`${join(checkout, 'bin')}:.:${good}`, join(good, 'git')],
])('PATH=%s', (searchPath, expected) => {
  const { paths, searchPath: searched } = findPrograms(searchPath, [checkout]);
  // administration folders are always searched; git is not an administration program
  expect(paths.git ?? null).toBe(expected);
  expect(searched).not.toContain(`${checkout}/`);
});

it('the checkout is found by its .git folder, from any folder inside it', () => {
  expect(findTop(join(checkout, 'bin'))).toBe(checkout);
  expect(findTop(good)).toBe(good);
});

describe('programs on Windows', () => {
  it('are looked for by their endings, in absolute folders of this machine', () => {
    const files = programFiles('C:\\tools;bin;\\\\server\\share;\\tools', 'npm', windows);
    expect(files).toEqual(['.com', '.exe', '.bat', '.cmd'].map(e => `C:\\tools\\npm${e}`));
    expect(programFiles('C:\\tools', 'npm.cmd', windows)).toEqual(['C:\\tools\\npm.cmd']);
  });
});

it('the programs that Photon starts by itself on Windows are git.exe alone, and never one of the checkout', () => {
  const folder = realpathSync(makeFolder());
  try {
    const [tools = '', checkout = ''] = ['tools', 'checkout'].map(name => join(folder, name));
    for (const path of [tools, checkout]) {
      mkdirSync(path);
      for (const name of ['git', 'git.exe', 'sh.exe', 'git.cmd'])
        writeFileSync(join(path, name), '', { mode: 0o755 });
      chmodSync(path, 0o777); // says nothing there
    }
    const { ownProgramFiles, hasModes } = windows;
    const found = findPrograms(`${checkout}:${tools}`, [checkout], {
      ...posixPlatform,
      ...{ ownProgramFiles, hasModes, administration: [] },
    });
    expect(found.paths).toEqual({ git: join(tools, 'git.exe') });
  } finally {
    discard(folder);
  }
});
