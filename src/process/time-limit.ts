/** A run's deadline as one signal: the door's cancel, or the time that is up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PhotonError } from '../codes.ts';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly clock: {
    now(): number;
    random(): number;
    sleep(ms: number, signal: AbortSignal): Promise<void>;
  };
  /** Waits. @throws PhotonError the signal's reason, when that comes first. */
  pause(ms: number): Promise<void>;
  close(): void;
}

/** Opens a limit; its signal's reason is a PhotonError (`BUDGET_TIME`, or that of `parent`). */
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
    await sleep(waitMs, undefined, { signal: until }).catch(() => {}); // the caller looks at the signal
  };
  return {
    signal,
    deadline: now() + ms,
    clock: { now, random: Math.random, sleep: pause },
    pause: async waitMs => {
      await pause(waitMs, signal);
      signal.throwIfAborted();
    },
    close: () => clearTimeout(timer),
  };
}
