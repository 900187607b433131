import { describe, expect, it } from 'vitest';
import { PhotonError, withSystemCode } from '../../src/base/codes.ts';
import { systemErrorIn } from '../../src/base/system-errors.ts';

const thrown = (code: string, syscall = 'open') =>
  Object.assign(new Error(`${code}: as the system says it`), { code, syscall });

describe('an error of the system', () => {
  it.each([
    ['ENOSPC', 'open', 'DISK', 'the disk is full', 'Free some space'],
    ['EDQUOT', 'write', 'DISK', 'quota', 'quota raised'],
    [
      'EROFS',
      'mkdir',
      'DISK',
      'the file system is read-only',
      'Choose a place that you can write to',
    ],
    ['EACCES', 'mkdir', 'DISK', 'you have no permission', 'Choose a place that you can write to'],
    ['EIO', 'read', 'DISK', 'the disk failed', 'Check the disk'],
    ['EMFILE', 'open', 'SYSTEM_LIMIT', 'this process may open no more files', 'ulimit -n'],
    ['ENFILE', 'open', 'SYSTEM_LIMIT', 'the machine opens no more files', 'fs.file-max'],
    ['EAGAIN', 'spawn sh', 'SYSTEM_LIMIT', 'no more processes', 'ulimit -u'],
    ['ENOMEM', 'spawn sh', 'SYSTEM_LIMIT', 'no memory left', 'more memory'],
  ])(
    '%s of %s is %s, with a sentence and one thing to do of its own',
    (code, call, own, meaning, hint) => {
      const error = withSystemCode(thrown(code, call)) as PhotonError;
      expect(error).toBeInstanceOf(PhotonError);
      expect(error).toMatchObject({ code: own, hint: expect.stringContaining(hint) });
      expect(error.message).toContain(meaning);
      expect(error.message).toContain(`${code}: as the system says it`);
      if (code !== 'ENOSPC') expect(error.hint).not.toContain('Free some space');
    },
  );

  it.each([
    ['EACCES', 'connect'],
    ['EACCES', 'spawn sh'],
    ['EPERM', 'kill'],
    ['EAGAIN', 'read'],
    ['ECONNREFUSED', 'connect'],
    ['toString', 'open'],
  ])('%s of %s is about something else', (code, call) => {
    const error = thrown(code, call);
    expect(withSystemCode(error)).toBe(error);
  });

  it('gives the hint of an error that names it as its cause, unless that error has one', () => {
    const cause = thrown('EROFS');
    expect(new PhotonError('DISK', 'x', { cause }).hint).toContain('Choose a place that you can');
    expect(new PhotonError('DISK', 'x', { cause, hint: 'own' }).hint).toBe('own');
    expect(new PhotonError('GIT', 'x', { cause }).hint).not.toContain(
      'Choose a place that you can',
    );
    expect(new PhotonError('DISK', 'x').hint).not.toContain('Free some space');
  });

  it.each([
    ['mount: Read-only file system', 'DISK', 'Choose a place'],
    ['cp: No space left on device', 'DISK', 'Free some space'],
    ['sh: Too many open files', 'SYSTEM_LIMIT', 'ulimit -n'],
    ['fork: Resource temporarily unavailable', 'SYSTEM_LIMIT', 'ulimit -u'],
  ])('is known from what a program prints: %s', (output, code, hint) => {
    expect(systemErrorIn(output)).toMatchObject({ code, hint: expect.stringContaining(hint) });
  });

  it('is not taken from a denial that a program prints', () => {
    expect(systemErrorIn('bwrap: Operation not permitted; Permission denied')).toBeUndefined();
  });
});
