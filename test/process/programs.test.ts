import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findPrograms, findTop } from '../../src/process/programs.ts';
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
