import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../src/base/codes.ts';
import { posixPlatform } from '../../../src/process/platform-posix.ts';
import { diskError, retryWhileBusy } from '../../../src/workspace/files/replace-file.ts';
import { windowsOf } from '../../doubles/windows.ts';

const windows = windowsOf().platform;

describe('a file that another program holds open', () => {
  const failing = (code: string, times: number) => {
    let calls = 0;
    const work = () => {
      calls += 1;
      if (calls <= times) throw Object.assign(new Error(code), { code });
      return calls;
    };
    return { work, calls: () => calls };
  };

  it.each(['EPERM', 'EBUSY', 'EACCES'])('is tried again on Windows: %s', code => {
    expect(retryWhileBusy(failing(code, 2).work, windows)).toBe(3);
  });

  it('is not tried for ever', () => {
    const { work, calls } = failing('EPERM', 1000);
    expect(() => retryWhileBusy(work, windows)).toThrow('EPERM');
    expect(calls()).toBeLessThan(50);
  });

  it('is not tried again for another error, or on another system', () => {
    const other = failing('ENOSPC', 1);
    expect(() => retryWhileBusy(other.work, windows)).toThrow('ENOSPC');
    expect(other.calls()).toBe(1);
    const posix = failing('EPERM', 1);
    expect(() => retryWhileBusy(posix.work, posixPlatform)).toThrow('EPERM');
    expect(posix.calls()).toBe(1);
  });
});

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
