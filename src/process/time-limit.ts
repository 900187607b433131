/** The deadline of a run as one abort signal: cancelled by the caller, or out of time. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { PhotonError } from '../base/codes.ts';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly clock: {
    now(): number;
    random(): number;
    sleep(ms: number, signal: AbortSignal): Promise<void>;
  };
  /** Waits, or until `until` aborts. @throws PhotonError the signal's reason, when the signal of the limit aborts first. */
  pause(ms: number, until?: AbortSignal): Promise<void>;
  /** Whether there is time left, as `requireTime` finds it. @throws PhotonError as it does. */
  check(): Promise<void>;
  /** Ends the run before its time is up: the signal aborts with this reason. */
  cancel(reason: PhotonError): void;
  close(): void;
}

/**
 * Lets timers and signals run, which long synchronous work holds up, and looks at the clock itself.
 * @throws PhotonError `BUDGET_TIME` when the time is up, or the reason of the signal.
 */
export async function requireTime({
  signal,
  deadline,
  now,
}: Pick<TimeLimit, 'signal' | 'deadline'> & Pick<TimeLimit['clock'], 'now'>): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
  if (now() >= deadline) throw new PhotonError('BUDGET_TIME');
}

/** Starts a limit. The reason of its signal is a PhotonError (`BUDGET_TIME`, or the reason of `parent`). */
export function openTimeLimit(
  parent: AbortSignal,
  { ms, now }: { ms: number; now: () => number },
): TimeLimit {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new PhotonError('BUDGET_TIME')),
    Math.min(ms, 2_000_000_000),
  );
  timer.unref();
  const signal = AbortSignal.any([parent, controller.signal]);
  const pause = async (waitMs: number, until: AbortSignal) => {
    await sleep(waitMs, undefined, { signal: until }).catch(() => {}); // the caller checks the signal
  };
  const deadline = now() + ms;
  return {
    signal,
    deadline,
    clock: { now, random: Math.random, sleep: pause },
    pause: async (waitMs, until = signal) => {
      await pause(waitMs, AbortSignal.any([signal, until]));
      signal.throwIfAborted();
    },
    check: () => requireTime({ signal, deadline, now }),
    cancel: reason => controller.abort(reason),
    close: () => clearTimeout(timer),
  };
}

/**
 * Waits for work, and calls `tell` with the seconds since its start again and again until the work has ended.
 * @param everyMs milliseconds between two calls.
 */
export async function withHeartbeat<T>(
  work: Promise<T>,
  tell: (seconds: number) => void,
  everyMs: number,
): Promise<T> {
  let beats = 0;
  const timer = setInterval(() => {
    beats += 1;
    tell(Math.round((beats * everyMs) / 1000));
  }, everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
