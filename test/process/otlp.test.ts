/** The variables of OpenTelemetry that Photon reads itself. */
import { describe, expect, it } from 'vitest';
import { readTelemetryTarget } from '../../src/process/otlp.ts';

describe('the variables of OpenTelemetry', () => {
  const base = 'http://collector:4318';
  const target = (more: Record<string, string>) =>
    readTelemetryTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: base, ...more });

  it('choose what is sent', () => {
    expect(readTelemetryTarget({}).signals).toEqual([]);
    expect(target({ OTEL_SDK_DISABLED: 'TRUE' }).signals).toEqual([]);
    expect(target({}).signals).toEqual(['traces', 'metrics']);
    expect(target({ OTEL_METRICS_EXPORTER: 'none' }).signals).toEqual(['traces']);
    const own = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://x/m' };
    expect(readTelemetryTarget(own).signals).toEqual(['metrics']);
  });

  it('hold secrets in the values of headers', () => {
    const { secrets } = target({
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abcdef, x-a = 1 ,broken',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-a=other',
    });
    expect(new Set(secrets)).toEqual(new Set(['Bearer abcdef', 'abcdef', 'other']));
  });

  it('that cannot be met are named, without the address', () => {
    expect(target({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toMatchObject({
      signals: [],
      notes: new Set([expect.stringContaining('is grpc, which Photon cannot send')]),
    });
    const wrong = target({ OTEL_EXPORTER_OTLP_ENDPOINT: 'user:word@collector' });
    expect(wrong.signals).toEqual([]);
    expect([...wrong.notes].join()).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT is not the address/);
    expect([...wrong.notes].join()).not.toContain('word');
  });
});
