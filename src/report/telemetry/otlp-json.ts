/** A run as telemetry reads it, and values in the JSON form of OTLP (https://opentelemetry.io/docs/specs/otlp). Pure. */
import type { Outcome } from '../../base/outcome.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Longest text of an attribute. */
const maxChars = 256;

/** Attributes as key-value pairs, without those that are undefined. */
export function keyValues(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, maxChars) };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Nanoseconds since the epoch, from milliseconds; 64-bit numbers are text. */
export function nanos(ms: number): string {
  return String(BigInt(Math.round(ms)) * 1_000_000n);
}

/** A finished run: outcome and text of its ledger, both without secrets. */
export interface TracedRun {
  readonly outcome: Outcome;
  readonly ledger: string;
}

export const getStart = ({ outcome }: TracedRun) => Date.parse(outcome.startedAt);
export const getEnd = (run: TracedRun) => getStart(run) + run.outcome.durationMs;
