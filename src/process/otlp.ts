/** Sends telemetry to an OpenTelemetry collector, as the standard variables of the environment ask for it. */
import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { type Context, type Meter, ROOT_CONTEXT, type Tracer, trace } from '@opentelemetry/api';
import {
  type ExportResult,
  ExportResultCode,
  parseKeyPairsIntoRecord,
  parseTraceParent,
} from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Environment } from './environment.ts';
import { isHttpAddress } from './network.ts';

type Signal = 'traces' | 'metrics';

/** Longest time that sending may take, whatever the environment says: a run must not wait for a collector. */
const maxExportMs = 2_000;

/** Names the version of the semantic conventions whose names are used. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.1';

/**
 * Reads the variables of the OpenTelemetry specification (protocol/exporter, sdk-environment-variables): the signals that
 * somebody receives, what is asked for and cannot be had (a sentence each), and the values that must appear in no log.
 */
export function readTelemetryTarget(env: Environment) {
  const notes = new Set<string>();
  const isDisabled = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  const all = isDisabled ? [] : (['traces', 'metrics'] as const);
  const signals = all.filter(signal => canSend(env, signal, notes));
  const names = ['', 'TRACES_', 'METRICS_'].map(part => `OTEL_EXPORTER_OTLP_${part}HEADERS`);
  const values = names.flatMap(name => Object.values(parseKeyPairsIntoRecord(env[name])));
  // a scheme such as Bearer is no secret
  const secrets = values.flatMap(value => [value, value.split(' ').at(-1) ?? '']);
  return { signals, notes, secrets: secrets.filter(secret => secret.length > 3) };
}

function canSend(env: Environment, signal: Signal, notes: Set<string>): boolean {
  const upper = signal.toUpperCase();
  const named = [`OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const name = named.find(each => env[each]?.trim());
  if (name === undefined || env[`OTEL_${upper}_EXPORTER`]?.trim() === 'none') return false;
  const protocol = env[`OTEL_EXPORTER_OTLP_${upper}_PROTOCOL`] || env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (!isHttpAddress(env[name]?.trim() ?? ''))
    notes.add(
      `${name} is not the address of a collector, such as http://localhost:4318. No telemetry is sent.`,
    );
  else if (protocol?.trim() === 'grpc')
    notes.add(
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which Photon cannot send. Set it to http/json, and the endpoint to that of OTLP over HTTP (port 4318).',
    );
  else return true;
  return false;
}

/** What is sent. */
interface Telemetry {
  readonly version: string;
  readonly runId: string;
  /** Records spans and metrics, the spans below `context`. */
  readonly record: (recorder: { tracer: Tracer; meter: Meter; context: Context }) => void;
}

/**
 * Sends signals at once, each within the time limit. The exporters themselves read address, headers and compression.
 * @returns what went wrong, a sentence each.
 */
export async function sendTelemetry(
  env: Environment,
  signals: readonly Signal[],
  telemetry: Telemetry,
): Promise<readonly string[]> {
  const wanted = Number(env.OTEL_EXPORTER_OTLP_TIMEOUT);
  const timeoutMillis = wanted > 0 ? Math.min(wanted, maxExportMs) : maxExportMs;
  // unlike agents of the exporters, those of the process know its proxy
  const httpAgentOptions = (protocol: string) => (protocol === 'https:' ? https : http).globalAgent;
  const tracesTo = new OTLPTraceExporter({ timeoutMillis, httpAgentOptions });
  const metricsTo = new OTLPMetricExporter({ timeoutMillis, httpAgentOptions });
  const { spans, metrics } = await collect(env, metricsTo, telemetry);
  const send = {
    traces: (done: (result: ExportResult) => void) => tracesTo.export(spans, done),
    metrics: (done: (result: ExportResult) => void) => metricsTo.export(metrics, done),
  };
  const late = { code: ExportResultCode.FAILED, error: new Error(timedOut) };
  const sent = signals.map(async signal => {
    const { code, error } = await Promise.race([
      new Promise(send[signal]),
      setTimeout(timeoutMillis, late, { ref: false }),
    ]);
    if (code === ExportResultCode.SUCCESS) return [];
    const why =
      error?.message === timedOut ? `no answer within ${timeoutMillis} ms` : describeCause(error);
    return [`Telemetry: the ${signal} were not sent: ${why}.`];
  });
  return (await Promise.all(sent)).flat();
}

/** How the exporters say it. */
const timedOut = 'Request timed out';

async function collect(
  env: Environment,
  exporter: OTLPMetricExporter,
  { version, runId, record }: Telemetry,
) {
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  const resource = resourceFromAttributes({
    'service.name': 'photon',
    'service.version': version,
    'service.instance.id': runId,
  }).merge(detectResources({ detectors }));
  const memory = new InMemorySpanExporter();
  const tracers = new TracerProvider({
    resource,
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: 256 },
    spanProcessors: [new SimpleSpanProcessor({ exporter: memory })],
  });
  const reader = new OnceReader({
    aggregationTemporalitySelector: type => exporter.selectAggregationTemporality(type),
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  const parent = parseTraceParent(env.TRACEPARENT?.trim() ?? '');
  record({
    tracer: tracers.getTracer('photon', version, { schemaUrl }),
    meter: meters.getMeter('photon', version, { schemaUrl }),
    context: parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
  });
  const { resourceMetrics } = await reader.collect();
  return { spans: memory.getFinishedSpans(), metrics: resourceMetrics };
}

class OnceReader extends MetricReader {
  protected override async onForceFlush() {}
  protected override async onShutdown() {}
}

/** Why a request failed. It holds no address, which can hold a password. */
function describeCause(error: (Error & { readonly code?: string | number }) | undefined): string {
  const { code } = error ?? {};
  if (typeof code === 'number') return `the collector answered ${code}`;
  return code ?? 'the collector is busy';
}
