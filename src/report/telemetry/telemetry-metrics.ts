/** Makes OpenTelemetry metrics of finished runs (docs/platform-team.md). Pure. */
import type { Outcome } from '../../base/outcome.ts';
import { sum } from '../../base/plural.ts';
import { type Round, readTimeline } from '../../ledger/timeline.ts';

interface RunUse {
  readonly run: TracedRun;
  readonly rounds: readonly Round[];
}

function toUse(run: TracedRun): RunUse {
  const { rounds } = readTimeline(run.ledger, getStart(run));
  return { run, rounds: run.outcome.engine === 'builtin' ? [] : rounds };
}

/** What is told of each metric; without `bounds` it is a counter, with them a histogram. */
interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly bounds?: readonly number[];
  readonly samples: (use: RunUse) => readonly Sample[];
}

const metrics: readonly Metric[] = [
  {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Tokens of each request to the model.',
    bounds: Array.from({ length: 14 }, (_, i) => 4 ** i), // as the conventions give them
    samples: tokenSamples,
  },
  {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'Duration of each request to the model.',
    bounds: Array.from({ length: 14 }, (_, i) => 0.01 * 2 ** i), // as the conventions give them
    samples: requestSamples,
  },
  {
    name: 'photon.run.duration',
    unit: 's',
    description: 'Duration of each run.',
    bounds: Array.from({ length: 14 }, (_, i) => 2 ** i), // one second to about two hours
    samples: use => [runSample(use)],
  },
  {
    name: 'photon.runs',
    unit: '{run}',
    description: 'Runs by how they ended.',
    samples: use => [{ ...runSample(use), value: 1 }],
  },
  {
    name: 'photon.run.cost',
    unit: '1',
    description: 'Cost of the runs, in the currency of the prices.',
    samples: costSamples,
  },
];

/** Tokens, durations, cost and endings of the runs; a metric without a value is left out. */
export function renderMetrics(
  runs: readonly TracedRun[],
  temporality: 'cumulative' | 'delta',
): readonly object[] {
  const uses = runs.map(toUse);
  const times = {
    startTimeUnixNano: nanos(Math.min(...runs.map(getStart))),
    timeUnixNano: nanos(Math.max(...runs.map(getEnd))),
  };
  const aggregationTemporality = temporality === 'delta' ? 1 : 2;
  return metrics.flatMap(({ bounds, samples, ...about }) => {
    const summarise = (values: readonly number[]) =>
      bounds === undefined ? { asDouble: sum(values) } : buildHistogram(values, bounds);
    const dataPoints = grouped(uses.flatMap(samples)).map(([attributes, values]) => ({
      ...times,
      attributes: keyValues(attributes),
      ...summarise(values),
    }));
    if (dataPoints.length === 0) return [];
    const data = { dataPoints, aggregationTemporality };
    return bounds === undefined
      ? { ...about, sum: { ...data, isMonotonic: true } }
      : { ...about, histogram: data };
  });
}

interface Sample {
  readonly attributes: Attributes;
  readonly value: number;
}

function chatFacts({ outcome }: TracedRun, round: Round): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': outcome.provider,
    'gen_ai.request.model': round.model || outcome.model,
  };
}

function tokenSamples({ run, rounds }: RunUse): readonly Sample[] {
  return rounds.flatMap(round => {
    const facts = chatFacts(run, round);
    return [
      { attributes: { ...facts, 'gen_ai.token.type': 'input' }, value: round.inputTokens },
      { attributes: { ...facts, 'gen_ai.token.type': 'output' }, value: round.outputTokens },
    ];
  });
}

function requestSamples({ run, rounds }: RunUse): readonly Sample[] {
  return rounds.map(round => ({
    attributes: { ...chatFacts(run, round), 'error.type': round.code ?? undefined },
    value: round.durationMs / 1000,
  }));
}

function runSample({ run }: RunUse): Sample {
  const { status, code, engine } = run.outcome;
  const attributes = { 'photon.status': status, 'photon.code': code, 'photon.engine': engine };
  return { attributes, value: run.outcome.durationMs / 1000 };
}

function costSamples({ run }: RunUse): readonly Sample[] {
  const { cost } = run.outcome.usage;
  const attributes = {
    'gen_ai.request.model': run.outcome.model,
    'photon.status': run.outcome.status,
  };
  return cost === undefined ? [] : [{ attributes, value: cost }];
}

function grouped(
  samples: readonly Sample[],
): readonly (readonly [Attributes, readonly number[]])[] {
  const groups = Map.groupBy(samples, sample => JSON.stringify(sample.attributes));
  return [...groups.values()].map(group => [group[0]?.attributes ?? {}, group.map(s => s.value)]);
}

/** A histogram; bucket `i` counts the values up to bound `i`, and the last one those above all. */
function buildHistogram(values: readonly number[], bounds: readonly number[]) {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  for (const value of values) {
    const found = bounds.findIndex(bound => value <= bound);
    const at = found < 0 ? bounds.length : found;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return {
    count: String(values.length),
    sum: sum(values),
    min: Math.min(...values),
    max: Math.max(...values),
    bucketCounts: counts.map(String),
    explicitBounds: bounds,
  };
}

/** Values in the JSON form of OTLP (https://opentelemetry.io/docs/specs/otlp). */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

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
