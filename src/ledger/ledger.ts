/** The hash-chained record of every operation of a run: one JSON entry per line. */
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Code, PhotonError } from '../base/codes.ts';
import type { GuardState, Phase, Severity } from '../base/outcome.ts';
import type { SkillsOfRound, StartOfEvidence } from '../guard/evidence.ts';
import type { Constitution } from '../guard/policy/constitution.ts';
import { redactTexts } from '../guard/secrets/secrets.ts';
import type { CallTrace, TracedEvent } from '../guard/trace-schema.ts';

/** The content of an entry; the ledger adds sequence, time, ids and the seal. */
export interface Operation {
  readonly phase: Phase;
  /** Phase that a call entered on its way to `phase`, by evidence that the run already had. */
  readonly via?: Phase;
  /** Name of a tool, or of a step of the engine (`run.start`, `run.evidence`, `model.turn`, `model.learned`, `skills.read`, `context.fit`, `deliver`, `memory.read`, `memory.write`, `network.use`, `mcp.start`, `mcp.refused`, `mcp.cut`, `run.end`, `run.note`). */
  readonly tool: string;
  readonly decision: GuardState;
  /** Present exactly for `abstain`. */
  readonly severity?: Severity;
  readonly code: Code | null;
  readonly paths: readonly string[];
  /** sha256 of the arguments as received. */
  readonly arguments: string;
  /** sha256 of the result; empty when there is no result. */
  readonly content: string;
  readonly durationMs: number;
  /** Section of the constitution behind a refusal; `none` for `degrade`. */
  readonly section?: string;
  /** What the rule saw, or the error of a tool that failed; at most 500 characters. */
  readonly evidence?: string;
  /** The parts of a tool call that the rules judged, and the evidence that it added. */
  readonly call?: CallTrace;
  /** The policy that the run follows (`run.start`). */
  readonly policy?: RunPolicy;
  /** The evidence before the first round (`run.evidence`). */
  readonly initial?: StartOfEvidence;
  /** The skills after they were read again (`skills.read`). */
  readonly skills?: SkillsOfRound;
  /** The lines that the model no longer sees (`context.fit`). */
  readonly forgotten?: readonly TracedEvent[];
  /** Digests of the outcome's fields (`run.end`), and of a note that came after it (`run.note`). */
  readonly outcome?: Readonly<Record<string, string>>;
  /** Counts and short facts from the engine; never text from the model or a file. */
  readonly facts?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The policy of a run, without its prose. */
export interface RunPolicy {
  readonly constitution: Constitution;
  /** How many violations the model may correct before the run ends; a setting can raise it. */
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
  /** Adds an entry. After `run.end`, which seals the outcome, only a `run.note` may follow. */
  append(operation: Operation): void;
  /** Number of entries and hash of the last one. */
  head(): { readonly entries: number; readonly head: string };
  /** Everything written so far. */
  text(): string;
  close(): void;
}

/** sha256 in hex. */
export function digest(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The `previous` hash of the first entry of a run. */
export function hashGenesis(run: string): string {
  return digest(`photon-ledger:2:${run}`);
}

/** The same in format 1, whose decisions had a fourth state. */
export function hashEarlierGenesis(run: string): string {
  return digest(`photon-ledger:1:${run}`);
}

/** The seal of an entry: a hash over all its other fields, which include the previous hash. */
export function hashEntry(entry: Omit<LedgerEntry, 'hash'>): string {
  return digest(JSON.stringify(entry));
}

/**
 * Opens a new ledger file. Each entry is written at once, so that a kill loses none. When an entry cannot
 * be written, `append` throws PhotonError `DISK` and the file ends with the previous entry.
 */
export function openLedger(file: {
  path: string;
  run: string;
  caller: string;
  now: () => number;
  /** Removes secrets from every text of an entry. */
  scrub: (text: string) => string;
}): Ledger {
  const descriptor = openSync(file.path, 'ax', 0o600);
  let entries = 0;
  let size = 0;
  let ended = false;
  let previous = hashGenesis(file.run);
  return {
    run: file.run,
    append: operation => {
      if (ended && operation.tool !== 'run.note')
        throw new PhotonError('INTERNAL', 'the ledger of this run is closed');
      const time = new Date(file.now()).toISOString();
      const body = {
        seq: entries + 1,
        time,
        run: file.run,
        caller: file.caller,
        ...redactTexts(operation, file.scrub),
        previous,
      };
      const hash = hashEntry(body);
      const line = Buffer.from(`${JSON.stringify({ ...body, hash })}\n`);
      writeWhole(descriptor, line, size);
      size += line.length;
      entries += 1;
      previous = hash;
      ended ||= operation.tool === 'run.end';
    },
    head: () => ({ entries, head: previous }),
    text: () => readFileSync(file.path, 'utf8'),
    close: () => closeSync(descriptor),
  };
}

/** Appends a line to a file: all of it or nothing. */
function writeWhole(descriptor: number, line: Buffer, size: number): void {
  try {
    let written = 0;
    while (written < line.length) written += writeSync(descriptor, line, written);
  } catch (cause) {
    try {
      ftruncateSync(descriptor, size);
    } catch {
      // the disk accepts no writes at all, so the file stays as it is
    }
    const message = `the ledger cannot be written: ${(cause as Error).message}`;
    throw new PhotonError('DISK', message, { cause });
  }
}
