import { describe, expect, it } from 'vitest';
import { posixPlatform } from '../../../src/process/platform-posix.ts';
import { retryWhileBusy } from '../../../src/workspace/files/replace-file.ts';
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
