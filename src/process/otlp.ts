/** Sends telemetry to an OpenTelemetry collector, as the standard variables of the environment ask for it. */
import { gzipSync } from 'node:zlib';
import type { Environment } from './environment.ts';
import { decoded } from './network.ts';

/** Where telemetry goes. */
interface TelemetryTarget {
  /** Addresses of the two requests; undefined for a signal that nobody receives. */
  readonly traces: URL | undefined;
  readonly metrics: URL | undefined;
  /** Headers of each request. Their values are secrets. */
  readonly headers: { readonly traces: HeaderRecord; readonly metrics: HeaderRecord };
  readonly timeoutMs: number;
  readonly gzip: boolean;
  readonly resource: Readonly<Record<string, string>>;
  readonly parent: { readonly traceId: string; readonly spanId: string } | undefined;
  readonly temporality: 'cumulative' | 'delta';
  /** What the variables ask for and cannot have, a sentence each. */
  readonly notes: readonly string[];
}

type HeaderRecord = Readonly<Record<string, string>>;
type Signal = 'traces' | 'metrics';

/** Longest time that sending may take, whatever the environment says: a run must not wait for a collector. */
const maxExportMs = 2_000;

/**
 * Reads the variables of the OpenTelemetry specification (protocol/exporter, sdk-environment-variables).
 * Undefined if no endpoint is set, or `OTEL_SDK_DISABLED` is true.
 */
export function readTelemetryTarget(env: Environment): TelemetryTarget | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined;
  const notes: string[] = [];
  const traces = readEndpoint(env, 'traces', notes);
  const metrics = readEndpoint(env, 'metrics', notes);
  if (traces === undefined && metrics === undefined && notes.length === 0) return undefined;
  const name = env.OTEL_SERVICE_NAME?.trim() ?? '';
  const resource = readPairs(env.OTEL_RESOURCE_ATTRIBUTES);
  const timeout = Number(env.OTEL_EXPORTER_OTLP_TIMEOUT);
  const preference = env.OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE?.trim().toLowerCase();
  return {
    traces,
    metrics,
    headers: { traces: readHeaders(env, 'traces'), metrics: readHeaders(env, 'metrics') },
    timeoutMs: timeout > 0 ? Math.min(timeout, maxExportMs) : maxExportMs,
    gzip: env.OTEL_EXPORTER_OTLP_COMPRESSION?.trim() === 'gzip',
    resource: name === '' ? resource : { ...resource, 'service.name': name },
    parent: readParent(env.TRACEPARENT),
    temporality: preference === 'delta' || preference === 'lowmemory' ? 'delta' : 'cumulative',
    notes: [...new Set(notes)],
  };
}

function readEndpoint(env: Environment, signal: Signal, notes: string[]): URL | undefined {
  const upper = signal.toUpperCase();
  if (env[`OTEL_${upper}_EXPORTER`]?.trim() === 'none') return undefined;
  const own = env[`OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`]?.trim();
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const named = own ? `OTEL_EXPORTER_OTLP_${upper}_ENDPOINT` : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const text = own || (base ? `${base.replace(/(?<!\/)\/+$/, '')}/v1/${signal}` : '');
  if (text === '') return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    notes.push(
      `${named} is not the address of a collector, such as http://localhost:4318. No telemetry is sent.`,
    );
    return undefined;
  }
  const protocol = env[`OTEL_EXPORTER_OTLP_${upper}_PROTOCOL`] || env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol?.trim() === 'grpc') {
    notes.push(
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which Photon cannot send. Set it to http/json, and the endpoint to that of OTLP over HTTP (port 4318).',
    );
    return undefined;
  }
  return new URL(text);
}

function readHeaders(env: Environment, signal: Signal): HeaderRecord {
  return {
    ...readPairs(env.OTEL_EXPORTER_OTLP_HEADERS),
    ...readPairs(env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_HEADERS`]),
  };
}

/** Reads `name=value,name=value`; values are percent-encoded. What is not of this form is left out. */
function readPairs(text: string | undefined): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').flatMap(pair => {
    const [, name = '', value = ''] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === '' ? [] : [[name, decoded(value)] as const];
  });
  return Object.fromEntries(pairs);
}

/** The span that started this process (https://www.w3.org/TR/trace-context/#traceparent-header). */
function readParent(text: string | undefined): TelemetryTarget['parent'] {
  const [, traceId = '', spanId = ''] =
    /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}/.exec(
      text?.trim() ?? '',
    ) ?? [];
  return traceId === '' ? undefined : { traceId, spanId };
}

/** The values that must appear in no log. */
export function telemetrySecrets({ headers }: TelemetryTarget): readonly string[] {
  const values = [headers.traces, headers.metrics].flatMap(record => Object.values(record));
  // a scheme such as Bearer is no secret
  return [...new Set(values.flatMap(value => [value, value.split(' ').at(-1) ?? '']))].filter(
    v => v.length > 3,
  );
}

/**
 * Sends both bodies at once, each within the time limit. It never throws: telemetry changes nothing about a run.
 * @returns what went wrong, a sentence each.
 */
export async function sendTelemetry(
  target: TelemetryTarget,
  bodies: Readonly<Record<Signal, object>>,
): Promise<readonly string[]> {
  const until = AbortSignal.timeout(target.timeoutMs);
  const sent = await Promise.all(
    (['traces', 'metrics'] as const).map(signal =>
      sendOne(target, { signal, text: JSON.stringify(bodies[signal]), until }),
    ),
  );
  return sent.filter(note => note !== undefined);
}

interface ExportRequest {
  readonly signal: Signal;
  readonly text: string;
  readonly until: AbortSignal;
}

const compressed = { 'content-encoding': 'gzip' };

async function sendOne(
  target: TelemetryTarget,
  { signal, text, until }: ExportRequest,
): Promise<string | undefined> {
  const url = target[signal];
  if (url === undefined) return undefined;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...target.headers[signal],
        'content-type': 'application/json',
        ...(target.gzip && compressed),
      },
      body: target.gzip ? gzipSync(text) : text,
      // a header with a key must not follow to another host
      redirect: 'error',
      signal: until,
    });
    const reply = (await response.text()).slice(0, 10_000);
    if (!response.ok) return failure(signal, `the collector answered ${response.status}`);
    return isPartial(reply) ? failure(signal, 'the collector took only a part of them') : undefined;
  } catch (error) {
    const why = until.aborted ? `no answer within ${target.timeoutMs} ms` : describeCause(error);
    return failure(signal, why);
  }
}

const failure = (signal: Signal, why: string) => `Telemetry: the ${signal} were not sent: ${why}.`;

/** A success can say that spans or data points were refused. */
function isPartial(reply: string): boolean {
  return /"rejected(?:Spans|DataPoints)"\s*:\s*"?[1-9]/.test(reply);
}

/** Why a request failed. It holds no address, which can hold a password. */
function describeCause(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  if (typeof cause?.code === 'string') return cause.code;
  return cause?.message === 'unexpected redirect'
    ? 'the collector redirects'
    : 'the request failed';
}
