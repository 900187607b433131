/** The deadline of a run as one abort signal: cancelled by the caller, or out of time. */
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
  /** Waits. @throws PhotonError the signal's reason, when the signal aborts first. */
  pause(ms: number): Promise<void>;
  close(): void;
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
