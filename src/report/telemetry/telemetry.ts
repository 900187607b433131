/** Makes OpenTelemetry traces and metrics of finished runs, from outcome and ledger (docs/platform-team.md). Pure. */
import { digest } from '../../base/digest.ts';
import { isFailure } from '../../base/outcome.ts';
import { type Round, readTimeline, type TimelineEntry } from '../../ledger/timeline.ts';
import {
  type Attributes,
  getEnd,
  getStart,
  keyValues,
  nanos,
  renderMetrics,
  type TracedRun,
} from './telemetry-metrics.ts';

/** Names the version of the semantic conventions whose names are used here. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.1';

/** What the environment says about the traces of this process. */
export interface TraceContext {
  /** Further attributes of the resource, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** The span that the runs belong to, of `TRACEPARENT`; undefined if there is none. */
  readonly parent: { readonly traceId: string; readonly spanId: string } | undefined;
  /** Whether a metric counts from the start of the run (`cumulative`) or since the last export (`delta`). */
  readonly temporality: 'cumulative' | 'delta';
  /** Name of the workflow that the runs belong to; empty if there is none. */
  readonly workflow: string;
}

/** The bodies of the two requests, in the JSON form of OTLP. */
export interface Telemetry {
  readonly traces: object;
  readonly metrics: object;
}

/** One trace with a span for each run, round and tool call, and the metrics of all runs. */
export function renderTelemetry(runs: readonly TracedRun[], context: TraceContext): Telemetry {
  const [first] = runs;
  const photon = first?.outcome.photon ?? '';
  const resource = {
    attributes: keyValues({
      'service.name': 'photon',
      'service.version': photon,
      'service.instance.id': first?.outcome.runId ?? '',
      ...context.resource,
    }),
  };
  const scope = { name: 'photon', version: photon };
  const metrics = renderMetrics(runs, context.temporality);
  return {
    traces: {
      resourceSpans: [
        {
          resource,
          scopeSpans: [{ scope, spans: buildSpans(runs, context), schemaUrl }],
          schemaUrl,
        },
      ],
    },
    metrics: {
      resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics, schemaUrl }], schemaUrl }],
    },
  };
}

const spanKinds = { internal: 1, client: 3 } as const;

interface SpanSource {
  /** Unique within the trace. */
  readonly key: string;
  readonly name: string;
  readonly kind: keyof typeof spanKinds;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Code of the error; empty without one. */
  readonly error: string;
  readonly events?: readonly {
    readonly name: string;
    readonly atMs: number;
    readonly attributes: Attributes;
  }[];
}

function buildSpans(
  runs: readonly TracedRun[],
  { parent, workflow }: TraceContext,
): readonly object[] {
  const [first] = runs;
  if (first === undefined) return [];
  const traceId = parent?.traceId ?? hashHex(`trace ${first.outcome.runId}`, 32);
  const shared = runs.length > 1 || workflow !== '' ? workflowSpan(runs, workflow) : undefined;
  const above = shared === undefined ? (parent?.spanId ?? '') : hashHex(shared.key, 16);
  const toSpan = (source: SpanSource, parentSpanId: string) => ({
    traceId,
    spanId: hashHex(source.key, 16),
    parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
    name: source.name,
    kind: spanKinds[source.kind],
    startTimeUnixNano: nanos(source.startMs),
    endTimeUnixNano: nanos(Math.max(source.startMs, source.endMs)),
    attributes: keyValues({ ...source.attributes, 'error.type': source.error || undefined }),
    events: (source.events ?? []).map(({ name, atMs, attributes }) => ({
      timeUnixNano: nanos(atMs),
      name,
      attributes: keyValues(attributes),
    })),
    status: source.error === '' ? {} : { code: 2, message: source.error },
  });
  return [
    shared === undefined ? undefined : toSpan(shared, parent?.spanId ?? ''),
    ...runs.flatMap(run => {
      const agent = agentSpan(run);
      return [
        toSpan(agent, above),
        ...innerSpans(run).map(inner => toSpan(inner, hashHex(agent.key, 16))),
      ];
    }),
  ].filter(item => item !== undefined);
}

function workflowSpan(runs: readonly TracedRun[], name: string): SpanSource {
  return {
    key: `workflow ${runs[0]?.outcome.runId}`,
    name: name === '' ? 'invoke_workflow' : `invoke_workflow ${name}`,
    kind: 'internal',
    startMs: Math.min(...runs.map(getStart)),
    endMs: Math.max(...runs.map(getEnd)),
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': name || undefined,
    },
    error: runs.map(getErrorCode).find(code => code !== '') ?? '',
  };
}

const getErrorCode = ({ outcome: { status, code } }: TracedRun) => (isFailure(status) ? code : '');

function agentSpan(run: TracedRun): SpanSource {
  const { outcome, ledger } = run;
  const { usage, prompt, task } = outcome;
  const agent = prompt.agent || 'photon';
  return {
    key: outcome.runId,
    name: `invoke_agent ${agent}`,
    kind: 'internal',
    startMs: getStart(run),
    endMs: getEnd(run),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent,
      'gen_ai.agent.version': prompt.version || undefined,
      'gen_ai.conversation.id': outcome.runId,
      'gen_ai.provider.name': outcome.provider,
      'gen_ai.request.model': outcome.model || undefined,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'photon.status': outcome.status,
      'photon.code': outcome.code,
      'photon.phase': outcome.phase,
      'photon.trigger': task.trigger || undefined,
      'photon.rounds': usage.rounds,
      'photon.cost': usage.cost,
      'photon.files': outcome.patch.files.length,
      'photon.verified': outcome.verification?.passed,
    },
    error: getErrorCode(run),
    events: readTimeline(ledger, getStart(run)).marks.map(mark => ({
      name: mark.tool,
      atMs: getStart(run) + mark.startMs,
      attributes: { 'photon.phase': mark.phase, 'photon.ledger.entry': mark.seq },
    })),
  };
}

function innerSpans(run: TracedRun): readonly SpanSource[] {
  return readTimeline(run.ledger, getStart(run)).rounds.flatMap(round => [
    roundSpan(run, round),
    ...round.calls.map(call => toolSpan(run, call)),
  ]);
}

function roundSpan(run: TracedRun, round: Round): SpanSource {
  const { engine, provider } = run.outcome;
  const model = round.model || run.outcome.model;
  const facts = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': round.inputTokens,
    'gen_ai.usage.output_tokens': round.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': round.cachedTokens,
    'photon.cost': round.cost,
  };
  const isModel = engine !== 'builtin';
  return {
    ...buildTimes(run, round),
    name: isModel ? `chat ${model}` : 'repair',
    kind: isModel ? 'client' : 'internal',
    attributes: {
      ...(isModel && facts),
      'photon.round': round.number,
      'photon.phase': round.phase,
      'photon.ledger.entry': round.seq,
    },
    error: round.code ?? '',
  };
}

function toolSpan(run: TracedRun, call: TimelineEntry): SpanSource {
  return {
    ...buildTimes(run, call),
    name: `execute_tool ${call.tool}`,
    kind: 'internal',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.tool,
      'gen_ai.tool.type': 'function',
      'photon.decision': call.decision,
      'photon.section': call.section || undefined,
      'photon.phase': call.phase,
      'photon.ledger.entry': call.seq,
    },
    error: call.decision === 'pass' ? '' : (call.code ?? call.decision),
  };
}

/** The times of an entry, within those of its run. */
function buildTimes(run: TracedRun, { seq, startMs, durationMs }: TimelineEntry) {
  const within = (ms: number) => Math.min(getStart(run) + ms, getEnd(run));
  const key = `${run.outcome.runId} ${seq}`;
  return { key, startMs: within(startMs), endMs: within(startMs + durationMs) };
}

/** An id of so many hexadecimal digits, the same for the same text. */
function hashHex(text: string, digits: number): string {
  return digest(text).slice(0, digits);
}
