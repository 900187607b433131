import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { describe, expect, it } from 'vitest';
import { sendTrace } from '../../src/process/otlp.ts';
import { recordRuns, type TracedRun } from '../../src/report/telemetry.ts';
import { startCollector } from '../doubles/collector.ts';
import { hostileRun, verifiedRun } from './pages.ts';

const model = {
  ...verifiedRun(),
  outcome: { ...verifiedRun().outcome, engine: 'openai', model: 'm' },
} as const;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: object;
}

/** What a collector receives of runs. */
async function send(runs: readonly TracedRun[], env = {}) {
  const collector = await startCollector();
  try {
    // the exporters read the environment of the process
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    const problem = await sendTrace(env, {
      version: '2',
      runId: 'r',
      record: recorder => recordRuns(recorder, runs, ''),
    });
    expect(problem).toBeUndefined();
    const [{ body } = expect.fail('nothing arrived')] = collector.received;
    const { resourceSpans } = body as {
      resourceSpans: [{ scopeSpans: [{ spans: readonly Span[] }] }];
    };
    // the SDK keeps spans in the order in which they ended
    return { text: JSON.stringify(body), spans: resourceSpans[0].scopeSpans[0].spans };
  } finally {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    await collector.close();
  }
}

describe('traces', () => {
  it('use names of the conventions, and otherwise their own', async () => {
    const known = new Set<unknown>(Object.values(conventions));
    const { text } = await send([model, hostileRun('x')]);
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

  it('are one tree, in which each span lies within the one above', async () => {
    const { outcome, ...rest } = hostileRun('x');
    const { spans } = await send([model, { ...rest, outcome: { ...outcome, runId: 'another' } }]);
    const byId = new Map(spans.map(span => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    expect(new Set(spans.map(span => span.traceId)).size).toBe(1);
    expect(spans.filter(span => span.parentSpanId === undefined)).toHaveLength(1);
    for (const span of spans) {
      const above = byId.get(span.parentSpanId ?? span.spanId);
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(
        BigInt(above?.startTimeUnixNano ?? 0),
      );
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(above?.endTimeUnixNano ?? 0));
    }
    expect(spans.map(span => span.name)).toContain('chat m');
    expect(spans.map(span => span.name)).toContain('execute_tool read_code_block');
  });

  it('belong to the span that started the process', async () => {
    const [traceId, spanId] = ['1'.repeat(32), '2'.repeat(16)];
    const { spans } = await send([model], { TRACEPARENT: `00-${traceId}-${spanId}-00` });
    const agent = spans.find(span => span.name.startsWith('invoke_agent'));
    expect(agent).toMatchObject({ traceId, parentSpanId: spanId });
    for (const span of spans) if (span !== agent) expect(span.parentSpanId).toBe(agent?.spanId);
    const ignored = await send([model], { TRACEPARENT: `ff-${traceId}-${spanId}-01` });
    expect(ignored.text).not.toContain(traceId);
  });

  it('name a failure by its code, and a refused call by that of its rule', async () => {
    const { spans } = await send([hostileRun('x')]);
    const agent = spans.find(span => span.name.startsWith('invoke_agent'));
    expect(agent?.status).toEqual({ code: 2, message: 'VERIFY_FAILED' });
    const refused = spans.filter(span => JSON.stringify(span).includes('STALE_READ'));
    expect(refused.map(span => span.name)).toEqual(['execute_tool read_code_block']);
  });

  it('hold no text of the task, a file, a command or the model', async () => {
    const secret = 'a-text-that-nobody-may-see';
    const run = hostileRun(secret);
    const { text } = await send([{ ...run, outcome: { ...run.outcome, model: 'm' } }]);
    expect(text).not.toContain(secret);
  });

  it('of a run of the embedded engine count no request', async () => {
    const builtin = { ...model, outcome: { ...model.outcome, engine: 'builtin' as const } };
    const { text } = await send([builtin, { ...model, ledger: '' }]);
    expect(text).toContain('"name":"repair"');
    expect(text.match(/"name":"chat /g) ?? []).toEqual([]);
  });
});
