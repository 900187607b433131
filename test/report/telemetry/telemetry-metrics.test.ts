/** The metrics of runs. */
import { describe, expect, it } from 'vitest';
import { renderTelemetry } from '../../../src/report/telemetry/telemetry.ts';
import { keyValues, nanos } from '../../../src/report/telemetry/telemetry-metrics.ts';
import { context, model } from '../spans.ts';

interface Metric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly { readonly asDouble: number }[] };
  readonly histogram?: {
    readonly dataPoints: readonly {
      readonly count: string;
      readonly bucketCounts: readonly string[];
      readonly explicitBounds: readonly number[];
    }[];
  };
}

describe('traces and metrics', () => {
  it('count every request, in buckets that add up', () => {
    const { metrics } = renderTelemetry([model], context);
    const [{ scopeMetrics }] = (
      metrics as { resourceMetrics: [{ scopeMetrics: [{ metrics: readonly Metric[] }] }] }
    ).resourceMetrics;
    const tokens = scopeMetrics[0].metrics.find(m => m.name === 'gen_ai.client.token.usage');
    expect(tokens?.histogram?.dataPoints).toHaveLength(2);
    for (const { count, bucketCounts, explicitBounds } of tokens?.histogram?.dataPoints ?? []) {
      expect(Number(count)).toBe(14);
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
      expect(bucketCounts.reduce((sum, n) => sum + Number(n), 0)).toBe(14);
    }
    const cost = scopeMetrics[0].metrics.find(m => m.name === 'photon.run.cost');
    expect(cost?.sum?.dataPoints[0]?.asDouble).toBe(0.01);
  });
});

it('attributes have the type of their value, and none is undefined', () => {
  expect(
    keyValues({ text: 'x'.repeat(300), yes: true, whole: 7, part: 0.5, none: undefined }),
  ).toEqual([
    { key: 'text', value: { stringValue: 'x'.repeat(256) } },
    { key: 'yes', value: { boolValue: true } },
    { key: 'whole', value: { intValue: '7' } },
    { key: 'part', value: { doubleValue: 0.5 } },
  ]);
});

it('a time keeps every digit', () => {
  expect(nanos(1_767_225_600_123)).toBe('1767225600123000000');
});
