/** Sends a trace to an OpenTelemetry collector, as the standard variables of the environment ask for it. */
import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { type Context, ROOT_CONTEXT, type Tracer, trace } from '@opentelemetry/api';
import {
  type ExportResult,
  ExportResultCode,
  parseKeyPairsIntoRecord,
  parseTraceParent,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Environment } from './environment.ts';
import { isHttpAddress } from './network.ts';

/** Longest time that sending may take, whatever the environment says: a run must not wait for a collector. */
const maxExportMs = 2_000;

/** Names the version of the semantic conventions whose names are used. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.1';

/**
 * Reads the variables of the OpenTelemetry specification (protocol/exporter, sdk-environment-variables).
 * @returns the values that must appear in no log, and why nothing can be sent, in a sentence; undefined if nobody receives a
 * trace.
 */
export function readTraceTarget(
  env: Environment,
): { readonly secrets: readonly string[]; readonly problem: string | undefined } | undefined {
  const read = (name: string) => env[name]?.trim() ?? '';
  const named = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const name = named.find(each => read(each) !== '');
  const isOff =
    read('OTEL_SDK_DISABLED').toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  if (name === undefined || isOff) return undefined;
  const headers = ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'];
  const values = headers.flatMap(each => Object.values(parseKeyPairsIntoRecord(env[each])));
  // a scheme such as Bearer is no secret
  const secrets = values.flatMap(value => [value, value.split(' ').at(-1) ?? '']);
  const protocol =
    read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || read('OTEL_EXPORTER_OTLP_PROTOCOL');
  const problem = !isHttpAddress(read(name))
    ? `${name} is not the address of a collector, such as http://localhost:4318. No telemetry is sent.`
    : protocol === 'grpc'
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which Photon cannot send. Set it to http/json, and the endpoint to that of OTLP over HTTP (port 4318).'
      : undefined;
  return { secrets: secrets.filter(secret => secret.length > 3), problem };
}

/** What is sent. */
interface Telemetry {
  readonly version: string;
  readonly runId: string;
  /** Records spans below `context`. */
  readonly record: (recorder: { tracer: Tracer; context: Context }) => void;
}

/**
 * Sends a trace within the time limit. The exporter itself reads address, headers and compression.
 * @returns what went wrong, in a sentence.
 */
export async function sendTrace(
  env: Environment,
  telemetry: Telemetry,
): Promise<string | undefined> {
  const wanted = Number(env.OTEL_EXPORTER_OTLP_TIMEOUT);
  const timeoutMillis = wanted > 0 ? Math.min(wanted, maxExportMs) : maxExportMs;
  // unlike agents of the exporter, those of the process know its proxy
  const httpAgentOptions = (protocol: string) => (protocol === 'https:' ? https : http).globalAgent;
  const exporter = new OTLPTraceExporter({ timeoutMillis, httpAgentOptions });
  const spans = recordSpans(env, telemetry);
  const late = { code: ExportResultCode.FAILED, error: new Error(timedOut) };
  const { code, error } = await Promise.race([
    new Promise<ExportResult>(done => exporter.export(spans, done)),
    setTimeout(timeoutMillis, late, { ref: false }),
  ]);
  if (code === ExportResultCode.SUCCESS) return undefined;
  const why =
    error?.message === timedOut ? `no answer within ${timeoutMillis} ms` : describeCause(error);
  return `Telemetry: the trace was not sent: ${why}.`;
}

/** How the exporter says it. */
const timedOut = 'Request timed out';

function recordSpans(env: Environment, { version, runId, record }: Telemetry) {
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
  const parent = parseTraceParent(env.TRACEPARENT?.trim() ?? '');
  record({
    tracer: tracers.getTracer('photon', version, { schemaUrl }),
    context: parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
  });
  return memory.getFinishedSpans();
}

/** Why a request failed. It holds no address, which can hold a password. */
function describeCause(error: (Error & { readonly code?: string | number }) | undefined): string {
  const { code } = error ?? {};
  if (typeof code === 'number') return `the collector answered ${code}`;
  return code ?? 'the collector is busy';
}
