/** The variables of OpenTelemetry that Photon reads itself. */
import { describe, expect, it } from 'vitest';
import { readTraceTarget } from '../../src/process/otlp.ts';

describe('the variables of OpenTelemetry', () => {
  const base = 'http://collector:4318';
  const target = (more: Record<string, string>) =>
    readTraceTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: base, ...more });

  it('choose whether a trace is sent', () => {
    expect(readTraceTarget({})).toBeUndefined();
    expect(target({ OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined();
    expect(target({ OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
    expect(target({})).toEqual({ secrets: [], problem: undefined });
    expect(readTraceTarget({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: base })).toBeDefined();
  });

  it('hold secrets in the values of headers', () => {
    const headers = 'Authorization=Bearer%20abcdef, x-a = 1 ,broken';
    const { secrets } = target({ OTEL_EXPORTER_OTLP_HEADERS: headers }) ?? expect.fail();
    expect(new Set(secrets)).toEqual(new Set(['Bearer abcdef', 'abcdef']));
  });

  it('that cannot be met are named, without the address', () => {
    const { problem } = target({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }) ?? expect.fail();
    expect(problem).toContain('is grpc, which Photon cannot send');
    const wrong = target({ OTEL_EXPORTER_OTLP_ENDPOINT: 'user:word@collector' });
    expect(wrong?.problem).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT is not the address/);
    expect(wrong?.problem).not.toContain('word');
  });
});
