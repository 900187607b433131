/** The hash-chained record of every operation of a run, one JSON entry a line. */
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Code, PhotonError } from '../codes.ts';
import type { Constitution } from '../guard/constitution.ts';
import type { SkillsOfRound, StartOfEvidence } from '../guard/evidence.ts';
import { redactTexts } from '../guard/secrets.ts';
import type { CallTrace } from '../guard/trace-schema.ts';
import type { Phase } from '../outcome.ts';

/** What an entry says of one operation; the ledger adds sequence, time, ids and the seal. */
export interface Operation {
  readonly phase: Phase;
  /** Name of a tool, or of a step of the engine (`run.start`, `run.ground`, `model.turn`, `skills.read`, `deliver`, `memory.read`, `memory.write`, `run.end`). */
  readonly tool: string;
  readonly decision: 'pass' | 'abstain' | 'violation' | 'degrade';
  readonly code: Code | null;
  readonly paths: readonly string[];
  /** sha256 of the arguments as they came. */
  readonly arguments: string;
  /** sha256 of the result; empty when there is none. */
  readonly content: string;
  readonly durationMs: number;
  /** Section of the constitution behind a refusal. */
  readonly section?: string;
  /** What the rule saw, or the error of a tool that failed; at most 500 characters. */
  readonly evidence?: string;
  /** What of a tool call the rules looked at, and the evidence that it brought. */
  readonly call?: CallTrace;
  /** The law that the run follows (`run.start`). */
  readonly policy?: RunPolicy;
  /** What is evidence before the first round (`run.ground`). */
  readonly ground?: StartOfEvidence;
  /** The skills as they were read again (`skills.read`). */
  readonly skills?: SkillsOfRound;
  /** Counts and short facts of the engine's own; never text of the model or of a file. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

/** The rules of a run; their prose is left out. */
export interface RunPolicy {
  readonly constitution: Constitution;
  /** Violations that are told before the run ends; the settings may raise it. */
  readonly violations: number;
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
  /** Id of the run. */
  readonly run: string;
  /** Adds an entry; what comes after `run.end` throws, since the outcome names that as the last. */
  append(operation: Operation): void;
  /** Number of entries and hash of the last one. */
  head(): { readonly entries: number; readonly head: string };
  /** All that was written so far. */
  text(): string;
  close(): void;
}

/** sha256 in hex. */
export function digest(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** What the first entry of a run follows. */
export function genesisOf(run: string): string {
  return digest(`photon-ledger:1:${run}`);
}

/** The seal of an entry: a hash over its predecessor's and over all its other fields. */
export function sealOf(entry: Omit<LedgerEntry, 'hash'>): string {
  return digest(JSON.stringify(entry));
}

/**
 * Opens a new ledger file; each entry is written at once, so that a kill loses none.
 * Its `append` throws PhotonError `DISK`, and the file ends with the entry before then.
 */
export function openLedger(file: {
  path: string;
  run: string;
  caller: string;
  now: () => number;
  /** Takes secrets out of every text of an entry. */
  scrub: (text: string) => string;
}): Ledger {
  const descriptor = openSync(file.path, 'ax', 0o600);
  let entries = 0;
  let size = 0;
  let ended = false;
  let previous = genesisOf(file.run);
  return {
    run: file.run,
    append: operation => {
      if (ended) throw new PhotonError('INTERNAL', 'the ledger of this run has ended');
      const time = new Date(file.now()).toISOString();
      const body = {
        seq: entries + 1,
        time,
        run: file.run,
        caller: file.caller,
        ...redactTexts(operation, file.scrub),
        previous,
      };
      const hash = sealOf(body);
      const line = Buffer.from(`${JSON.stringify({ ...body, hash })}\n`);
      writeWhole(descriptor, line, size);
      size += line.length;
      entries += 1;
      previous = hash;
      ended = operation.tool === 'run.end';
    },
    head: () => ({ entries, head: previous }),
    text: () => readFileSync(file.path, 'utf8'),
    close: () => closeSync(descriptor),
  };
}

/** Writes a line at the end of a file, or nothing of it. */
function writeWhole(descriptor: number, line: Buffer, size: number): void {
  try {
    let written = 0;
    while (written < line.length) written += writeSync(descriptor, line, written);
  } catch (cause) {
    try {
      ftruncateSync(descriptor, size);
    } catch {
      // a disk that lets nothing be written keeps what it has
    }
    const message = `the ledger cannot be written: ${(cause as Error).message}`;
    throw new PhotonError('DISK', message, { cause });
  }
}
