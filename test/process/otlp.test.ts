/** The variables of OpenTelemetry. */
import { describe, expect, it } from 'vitest';
import { readTelemetryTarget, telemetrySecrets } from '../../src/process/otlp.ts';

describe('the variables of OpenTelemetry', () => {
  const base = 'http://collector:4318';
  const target = (more: Record<string, string>) =>
    readTelemetryTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: base, ...more });

  it('lead to the addresses of both signals', () => {
    expect(readTelemetryTarget({})).toBeUndefined();
    expect(target({ OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined();
    expect(String(target({})?.traces)).toBe(`${base}/v1/traces`);
    expect(String(target({ OTEL_EXPORTER_OTLP_ENDPOINT: `${base}/otlp/` })?.metrics)).toBe(
      `${base}/otlp/v1/metrics`,
    );
    const own = target({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://x/t',
      OTEL_METRICS_EXPORTER: 'none',
    });
    expect([String(own?.traces), own?.metrics]).toEqual(['https://x/t', undefined]);
  });

  it('give headers, resource, parent and temporality', () => {
    const read = target({
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abcdef, x-a = 1 ,broken',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-a=2',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,team=b%2Cc',
      OTEL_SERVICE_NAME: 'mine',
      TRACEPARENT: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'Delta',
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    });
    expect(read).toMatchObject({
      headers: {
        traces: { Authorization: 'Bearer abcdef', 'x-a': '1' },
        metrics: { Authorization: 'Bearer abcdef', 'x-a': '2' },
      },
      resource: { 'service.name': 'mine', team: 'b,c' },
      parent: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) },
      temporality: 'delta',
      timeoutMs: 2000,
    });
    expect(read && telemetrySecrets(read)).toEqual(['Bearer abcdef', 'abcdef']);
    for (const wrong of [
      '',
      'x',
      `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
      `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    ])
      expect(target({ TRACEPARENT: wrong })?.parent).toBeUndefined();
  });

  it('that cannot be met are named, without the address', () => {
    expect(target({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toMatchObject({
      traces: undefined,
      notes: [expect.stringContaining('is grpc, which Photon cannot send')],
    });
    const wrong = target({ OTEL_EXPORTER_OTLP_ENDPOINT: 'user:word@collector' });
    expect(wrong).toMatchObject({ traces: undefined, metrics: undefined });
    expect(wrong?.notes.join()).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT is not the address/);
    expect(wrong?.notes.join()).not.toContain('word');
  });
});
