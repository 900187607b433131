import { expect, it } from 'vitest';
import { PhotonError } from '../../../src/base/codes.ts';
import { diskError } from '../../../src/workspace/files/replace-file.ts';

const system = (code: string) => Object.assign(new Error('raw words'), { code });

it.each([
  ['ENOENT', 'the folder around it does not exist'],
  ['ENOTDIR', 'a file is in the place of a folder'],
  ['EEXIST', 'something else is in its place'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EODD', 'the system says EODD'],
])('%s is said in words', (code, reason) => {
  const cause = system(code);
  const error = diskError('The report cannot be written', cause);
  expect(error).toMatchObject({
    code: 'DISK',
    message: `The report cannot be written: ${reason}.`,
    cause,
  });
});

it('an error without a code says its own words, and the hint of the caller', () => {
  expect(diskError('x', new Error('torn'), 'Try again.')).toMatchObject({
    code: 'DISK',
    message: 'x: torn.',
    hint: 'Try again.',
  });
});

it('an error of Photon stays as it is', () => {
  const own = new PhotonError('USAGE', 'own words');
  expect(diskError('x', own)).toBe(own);
});
