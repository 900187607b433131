/** The hash-chained record of every operation of a run: one JSON entry per line. */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Code, PhotonError } from '../base/codes.ts';
import { digest, hashJson } from '../base/digest.ts';
import type { GuardState, Phase, Severity } from '../base/outcome.ts';
import { isObject } from '../base/schema-issue.ts';
import type { SkillsOfRound, StartOfEvidence, TracedEvent } from '../guard/evidence.ts';
import type { CallTrace } from '../guard/facts.ts';
import type { Constitution } from '../guard/policy/constitution.ts';
import { redactTexts } from '../guard/secrets/secrets.ts';

/** The content of an entry; the ledger adds sequence, time, ids and the seal. */
export interface Operation {
  readonly phase: Phase;
  /** Phase that a call entered on its way to `phase`, by evidence that the run already had. */
  readonly via?: Phase;
  /** Name of a tool, or of a step of the engine (`run.start`, `run.settings`, `run.task`, `run.evidence`, `model.turn`, `model.discarded`, `model.learned`, `look.turn`, `look`, `skills.read`, `context.fit`, `deliver`, `memory.read`, `memory.write`, `network.use`, `sandbox.use`, `mcp.start`, `mcp.refused`, `mcp.cut`, `run.end`, `run.note`). */
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
  /**
   * Fields of the outcome that this entry backs. Of texts of the model, of a file or of a command it holds the sha256
   * (`audit/derive-outcome.ts`).
   */
  readonly states?: Readonly<Record<string, unknown>>;
  /** The words of the task, cut (`run.task`). */
  readonly text?: string;
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
  /** Id of the run, and who started it. */
  readonly run: string;
  readonly caller: string;
  /** Adds an entry. After `run.end` only a `run.note` may follow. */
  append(operation: Operation): void;
  /** The entries as they were written, whatever became of the file. */
  entries(): readonly LedgerEntry[];
  /** Number of entries and hash of the last one. */
  head(): { readonly entries: number; readonly head: string };
  /** Everything written so far. */
  text(): string;
  close(): void;
}

/** The format of a ledger, which its first entry is sealed with. 1 had a fourth decision; 2 did not back the outcome. */
export const ledgerFormat = 3;

/** The `previous` hash of the first entry of a run. */
export function hashGenesis(run: string, format = ledgerFormat): string {
  return digest(`photon-ledger:${format}:${run}`);
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
  const entries: LedgerEntry[] = [];
  let size = 0;
  let time = 0;
  let ended = false;
  let previous = hashGenesis(file.run);
  return {
    run: file.run,
    caller: file.caller,
    append: operation => {
      if (ended && operation.tool !== 'run.note')
        throw new PhotonError('INTERNAL', 'the ledger of this run is closed');
      // a clock that is set back does not make the record run backwards
      time = Math.max(time, file.now());
      const body = {
        seq: entries.length + 1,
        time: new Date(time).toISOString(),
        run: file.run,
        caller: file.caller,
        ...redactTexts(operation, file.scrub),
        previous,
      };
      const hash = hashEntry(body);
      const written = JSON.stringify({ ...body, hash });
      const line = Buffer.from(`${written}\n`);
      writeWhole(descriptor, line, size);
      size += line.length;
      entries.push(JSON.parse(written) as LedgerEntry);
      previous = hash;
      ended ||= operation.tool === 'run.end';
    },
    entries: () => entries,
    head: () => ({ entries: entries.length, head: previous }),
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

/** What a call ended with: the code of its refusal, or of a verification that did not pass. */
export function findCode({ code, states }: Pick<Operation, 'code' | 'states'>): string | null {
  const { verification } = states ?? {};
  const stated = isObject(verification) ? verification.code : null;
  return [code, stated].find(each => typeof each === 'string') ?? null;
}

/** An entry of the engine with the given facts. */
export function mark(
  tool: string,
  facts: Readonly<Record<string, string | number | boolean | undefined>>,
) {
  return {
    phase: 'INPUT',
    tool,
    decision: 'pass',
    code: null,
    paths: [],
    arguments: '',
    content: '',
    durationMs: 0,
    facts,
  } as const;
}

/** Fields with texts of the model, of a file or of a command. The ledger holds their sha256; of a list, that of each item. */
const texts: ReadonlySet<string> = new Set([
  'statement',
  'summary',
  'answer',
  'report',
  'choices',
  'places',
  'commandAnswer',
  'review',
  'repair',
  'plan',
  'records',
  'staged',
  'notes',
  'outputTail',
  'failedCases',
  'changedExpectations',
  'diff',
]);

/** Settings are held as they are: some have the names of such fields. */
const plainPart = 'settings';

/** A part of an outcome as the ledger holds it. `value` is as its file holds it, without secrets. */
export function withoutTexts<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutTexts) as T;
  if (!isObject(value)) return value;
  const digest = (text: unknown) => (Array.isArray(text) ? text.map(hashJson) : hashJson(text));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => {
        if (name === plainPart) return [name, part];
        return [name, texts.has(name) ? digest(part) : withoutTexts(part)];
      }),
  ) as T;
}

/** What a ledger says, with the texts of the outcome that it was made from. */
export function withTexts<T>(derived: unknown, written: T): T {
  if (Array.isArray(derived) && Array.isArray(written))
    return derived.map((part, i) => withTexts(part, written[i])) as T;
  if (!isObject(derived) || !isObject(written)) return derived as T;
  const order = new Set([...Object.keys(written), ...Object.keys(derived)]);
  return Object.fromEntries(
    [...order]
      .filter(name => derived[name] !== undefined)
      .map(name => {
        if (name === plainPart) return [name, derived[name]];
        return [name, texts.has(name) ? written[name] : withTexts(derived[name], written[name])];
      }),
  ) as T;
}

/** What an entry states of a part of an outcome, or undefined. */
export function statePart<T>(
  name: string,
  part: T | undefined,
  scrub: (text: string) => string,
): Readonly<Record<string, unknown>> | undefined {
  return part === undefined ? undefined : withoutTexts(redactTexts({ [name]: part }, scrub));
}
