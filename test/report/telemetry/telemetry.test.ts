import { createRequire } from 'node:module';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { describe, expect, it } from 'vitest';
import { renderTelemetry, type TraceContext } from '../../../src/report/telemetry/telemetry.ts';
import { hostileRun } from '../pages.ts';
import { context, model } from '../spans.ts';

interface Message {
  fromObject(json: object): object;
  toObject(message: object, options: object): object;
  verify(json: object): string | undefined;
}

const { opentelemetry } = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root',
);

const { collector } = opentelemetry.proto;

const traceRequest: Message = collector.trace.v1.ExportTraceServiceRequest;

const metricsRequest: Message = collector.metrics.v1.ExportMetricsServiceRequest;

/** JSON as protobuf reads it. Ids are hexadecimal in OTLP, and base64 in every other protobuf message. */
function expectMessage(type: Message, json: object): void {
  const plain = JSON.parse(JSON.stringify(json), (key, value) =>
    /^(?:traceId|spanId|parentSpanId)$/.test(key)
      ? Buffer.from(value, 'hex').toString('base64')
      : value,
  );
  const read = type.toObject(type.fromObject(plain), {
    longs: String,
    bytes: String,
    arrays: false,
  });
  // a field that the definition does not know, or of another type, would be lost
  expect(read).toEqual(withoutEmpty(plain));
}

function withoutEmpty(json: object): object {
  return JSON.parse(JSON.stringify(json), (_, value) =>
    Array.isArray(value) && value.length === 0 ? undefined : value,
  );
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: object;
}

function spansOf(runs: Parameters<typeof renderTelemetry>[0], more: Partial<TraceContext> = {}) {
  const { traces } = renderTelemetry(runs, { ...context, ...more });
  return (traces as { resourceSpans: [{ scopeSpans: [{ spans: readonly Span[] }] }] })
    .resourceSpans[0].scopeSpans[0].spans;
}

describe('traces and metrics', () => {
  it.each([
    ['a verified run', [model]],
    [
      'a run of the embedded engine',
      [{ ...model, outcome: { ...model.outcome, engine: 'builtin' as const } }],
    ],
    ['hostile texts', [hostileRun('\u0000"}]\ud800 @x')]],
    ['several runs', [model, hostileRun('x')]],
    ['an empty ledger', [{ ...model, ledger: '' }]],
  ])('of %s are messages of OTLP', (_name, runs) => {
    for (const temporality of ['cumulative', 'delta'] as const) {
      const { traces, metrics } = renderTelemetry(runs, { ...context, temporality });
      expectMessage(traceRequest, traces);
      expectMessage(metricsRequest, metrics);
    }
  });

  it('use names of the conventions, and otherwise their own', () => {
    const known = new Set<unknown>(Object.values(conventions));
    const text = JSON.stringify(renderTelemetry([model, hostileRun('x')], context));
    const names = [...text.matchAll(/"(?:key|name)":"((?:gen_ai|error|service)\.[\w.]+)"/g)].map(
      m => m[1],
    );
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(known).toContain(name);
    const rest = [...text.matchAll(/"key":"([\w.]+)"/g)].map(m => m[1] ?? '');
    expect(rest.filter(name => !/^(?:gen_ai|error|service|photon)\./.test(name))).toEqual([]);
    const operations = text.matchAll(/"gen_ai.operation.name","value":\{"stringValue":"(\w+)"/g);
    expect(new Set([...operations].map(m => m[1]))).toEqual(
      new Set(['invoke_workflow', 'invoke_agent', 'chat', 'execute_tool']),
    );
  });

  it('are one tree, in which each span lies within the one above', () => {
    const { outcome, ...rest } = hostileRun('x');
    const spans = spansOf([model, { ...rest, outcome: { ...outcome, runId: 'another' } }]);
    const byId = new Map(spans.map(span => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    expect(new Set(spans.map(span => span.traceId)).size).toBe(1);
    expect(spans.filter(span => span.parentSpanId === undefined)).toHaveLength(1);
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      const above = byId.get(span.parentSpanId ?? span.spanId);
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(
        BigInt(above?.startTimeUnixNano ?? 0),
      );
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(above?.endTimeUnixNano ?? 0));
    }
    expect(spans.map(span => span.name)).toContain('chat m');
    expect(spans.map(span => span.name)).toContain('execute_tool read_code_block');
  });

  it('belong to the span that started the process', () => {
    const parent = { traceId: '1'.repeat(32), spanId: '2'.repeat(16) };
    const [agent, ...inner] = spansOf([model], { parent });
    expect(agent).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId });
    for (const span of inner) expect(span.parentSpanId).toBe(agent?.spanId);
  });

  it('name a failure by its code, and a refused call by that of its rule', () => {
    const spans = spansOf([hostileRun('x')]);
    expect(spans[0]?.status).toEqual({ code: 2, message: 'VERIFY_FAILED' });
    const refused = spans.filter(span => JSON.stringify(span).includes('STALE_READ'));
    expect(refused).toHaveLength(1);
    expect(refused[0]?.name).toBe('execute_tool read_code_block');
  });

  it('hold no text of the task, a file, a command or the model', () => {
    const secret = 'a-text-that-nobody-may-see';
    const { traces, metrics } = renderTelemetry(
      [{ ...hostileRun(secret), outcome: { ...hostileRun(secret).outcome, model: 'm' } }],
      context,
    );
    expect(JSON.stringify([traces, metrics])).not.toContain(secret);
  });
});
