/** Values in the JSON form of OTLP. */
import { expect, it } from 'vitest';
import { keyValues, nanos } from '../../../src/report/telemetry/telemetry-metrics.ts';

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
