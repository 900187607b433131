/** The hash-chained record of every operation of a run, one JSON entry a line. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Code } from '../codes.ts';
import type { Phase } from '../outcome.ts';

/** What an entry says of one operation; the ledger adds sequence, time, ids and the seal. */
export interface Operation {
  readonly phase: Phase;
  /** Name of a tool, or of a step of the engine (`run.start`, `model.turn`, `verify`, `run.end`). */
  readonly tool: string;
  readonly decision: 'pass' | 'abstain' | 'violation' | 'degrade';
  readonly code: Code | null;
  readonly paths: readonly string[];
  /** sha256 of the arguments as they came. */
  readonly arguments: string;
  /** sha256 of the result; empty when there is none. */
  readonly content: string;
  readonly durationMs: number;
  /** Counts and short facts of the engine's own; never text of the model or of a file. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

export interface LedgerEntry extends Operation {
  readonly seq: number;
  readonly time: string;
  readonly run: string;
  readonly caller: string;
  readonly previous: string;
  readonly hash: string;
}

export interface Ledger {
  append(operation: Operation): void;
  /** Number of entries and hash of the last one. */
  head(): { readonly entries: number; readonly head: string };
  close(): void;
}

/** sha256 in hex. */
export function digest(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The seal of an entry: a hash over its predecessor's and over all its other fields. */
export function sealOf(entry: Omit<LedgerEntry, 'hash'>): string {
  return digest(JSON.stringify(entry));
}

/** Opens a new ledger file; each entry is written at once, so that a kill loses none. */
export function openLedger(file: {
  path: string;
  run: string;
  caller: string;
  now: () => number;
}): Ledger {
  const descriptor = openSync(file.path, 'ax', 0o600);
  let entries = 0;
  let previous = digest(`photon-ledger:1:${file.run}`);
  return {
    append: operation => {
      const time = new Date(file.now()).toISOString();
      const body = {
        seq: entries + 1,
        time,
        run: file.run,
        caller: file.caller,
        ...operation,
        previous,
      };
      const hash = sealOf(body);
      writeSync(descriptor, `${JSON.stringify({ ...body, hash })}\n`);
      entries += 1;
      previous = hash;
    },
    head: () => ({ entries, head: previous }),
    close: () => closeSync(descriptor),
  };
}
