/** Ends this process by a timer in another thread, when its own thread is too busy to end a run whose time is up. */
import { Worker } from 'node:worker_threads';

/** A text to append to a file, or to an open descriptor. */
export interface LastText {
  readonly to: string | number;
  readonly text: string;
}

interface TimerData {
  /** Milliseconds to wait, one after the other; this thread answers in the first wait, and closes the timer in the second. */
  readonly waits: readonly [number, number];
  readonly answered: Int32Array;
  readonly outcomePath: string;
  readonly outcome: object;
  /** The ledger, whose last entry the outcome names. */
  readonly ledgerPath: string;
  readonly texts: readonly LastText[];
}

/** Longest that this thread may stay away from its timers when the time of a run is up, in milliseconds. */
const busyMs = 5_000;

interface BusyEnd extends Omit<TimerData, 'waits' | 'answered'> {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  readonly ms: number;
  /** Longest that the run may go on after that. */
  readonly graceMs: number;
}

/**
 * Starts the timer. When it fires, the other thread writes the outcome and the texts, and kills the process: nothing less
 * ends a busy one. Where no thread can be started, nothing does.
 * @returns what ends the timer; call it when the run has ended.
 */
export function endIfBusy({ signal, ms, graceMs, ...end }: BusyEnd): () => void {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const waits = [Math.min(ms, 2_000_000_000) + busyMs, graceMs] as const;
  const workerData: TimerData = { ...end, waits, answered };
  const answer = () => void Atomics.store(answered, 0, 1);
  signal.addEventListener('abort', answer);
  const timer = new Worker(`(${endAfterTime.toString()})()`, {
    eval: true,
    workerData,
    env: {},
    execArgv: [],
  });
  timer.on('error', () => {}).unref();
  return () => {
    signal.removeEventListener('abort', answer);
    void timer.terminate();
  };
}

/** The whole program of the thread: it uses nothing of this file. */
function endAfterTime(): void {
  const fs = process.getBuiltinModule('node:fs');
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { waits, answered, outcomePath, outcome, ledgerPath, texts } = workerData as TimerData;
  const attempt = (write: () => void) => {
    try {
      write();
    } catch {
      // what cannot be written does not keep the process
    }
  };
  const end = () => {
    let whole = outcome;
    attempt(() => {
      const last = JSON.parse(fs.readFileSync(ledgerPath, 'utf8').trim().split('\n').at(-1) ?? '');
      whole = { ...outcome, ledger: { entries: last.seq, head: last.hash } };
    });
    attempt(() => fs.writeFileSync(outcomePath, `${JSON.stringify(whole, null, 2)}\n`));
    for (const { to, text } of texts) attempt(() => fs.appendFileSync(to, text));
    process.kill(process.pid, 'SIGKILL');
  };
  setTimeout(() => {
    if (Atomics.load(answered, 0) === 0) end();
    else setTimeout(end, waits[1]);
  }, waits[0]);
}
