/** What the system says when it refuses a file, a process or memory, in words, and one thing to do for each; and work that may be refused. */

/** How Photon reports an error of the system. */
interface SystemError {
  readonly code: 'DISK' | 'SYSTEM_LIMIT';
  /** The end of a sentence, without a full stop. */
  readonly reason: string;
  readonly hint: string;
  /** The words that programs print for it. */
  readonly text: string;
}

/** What to do about a place that nobody can write to. */
export const elsewhere = 'Choose a place that you can write to.';

const denied = {
  code: 'DISK',
  reason: 'you have no permission there',
  hint: elsewhere,
} as const;

const systemErrors: Readonly<Record<string, SystemError>> = {
  ENOSPC: {
    code: 'DISK',
    reason: 'the disk is full',
    hint: 'Free some space and run again.',
    text: 'No space left on device',
  },
  EDQUOT: {
    code: 'DISK',
    reason: 'your quota of the disk is used up',
    hint: 'Delete files of yours, or have the quota raised, and run again.',
    text: 'Disk quota exceeded',
  },
  EROFS: {
    code: 'DISK',
    reason: 'the file system is read-only',
    hint: elsewhere,
    text: 'Read-only file system',
  },
  EACCES: { ...denied, text: 'Permission denied' },
  EPERM: { ...denied, text: 'Operation not permitted' },
  EIO: {
    code: 'DISK',
    reason: 'the disk failed',
    hint: 'Check the disk of this machine.',
    text: 'Input/output error',
  },
  ENFILE: {
    code: 'SYSTEM_LIMIT',
    reason: 'the machine opens no more files',
    hint: 'End other programs, or raise fs.file-max, and run again.',
    text: 'Too many open files in system',
  },
  EMFILE: {
    code: 'SYSTEM_LIMIT',
    reason: 'this process may open no more files',
    hint: 'Raise the limit of open files, such as with ulimit -n 1024, and run again.',
    text: 'Too many open files',
  },
  EAGAIN: {
    code: 'SYSTEM_LIMIT',
    reason: 'the machine starts no more processes for you',
    hint: 'End other programs, or raise the limit of processes (ulimit -u), and run again.',
    text: 'Resource temporarily unavailable',
  },
  ENOMEM: {
    code: 'SYSTEM_LIMIT',
    reason: 'the machine has no memory left',
    hint: 'End other programs, or use a machine with more memory.',
    text: 'Cannot allocate memory',
  },
};

/** Names that mean something else for another call: a refused connection, a program that nobody may start. */
const calls: Readonly<Record<string, (call: string) => boolean>> = {
  EACCES: call => !/^(spawn|connect|bind|listen|kill)/.test(call),
  EPERM: call => !/^(spawn|connect|bind|listen|kill)/.test(call),
  EAGAIN: call => call.startsWith('spawn'),
};

/** How to report an error of Node for a call of the system; undefined for every other error. */
export function describeSystemError(error: unknown): SystemError | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string' || !Object.hasOwn(systemErrors, code)) return undefined;
  return calls[code]?.(String(syscall)) === false ? undefined : systemErrors[code];
}

/** The same for what a program printed. A denial is not among them: a program can print it about anything. */
export function systemErrorIn(output: string): SystemError | undefined {
  const telling = Object.values(systemErrors).filter(e => e.reason !== denied.reason);
  return telling.find(e => output.includes(e.text));
}

/** What the work gives; undefined if it throws, where it does not matter why. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** True for work that throws nothing. */
export const succeeds = (work: () => void) => attempt(() => [work()]) !== undefined;

/** A percent-encoded text, or the text itself if it cannot be decoded. */
export const decodePercent = (text: string) => attempt(() => decodeURIComponent(text)) ?? text;
