/** Records OpenTelemetry spans and metrics of finished runs, from outcome and ledger (docs/platform-team.md). */
import {
  type Attributes,
  type Context,
  type Meter,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { isFailure, type Outcome } from '../base/outcome.ts';
import { type Round, readTimeline, type TimelineEntry } from '../ledger/timeline.ts';

/** A finished run: outcome and text of its ledger, both without secrets. */
export interface TracedRun {
  readonly outcome: Outcome;
  readonly ledger: string;
}

/** Where spans and metrics are recorded. */
export interface Recorder {
  readonly tracer: Tracer;
  readonly meter: Meter;
  /** Holds the span that those of the runs lie below, if there is one. */
  readonly context: Context;
}

/**
 * Records one trace with a span for each run, round and tool call, and the metrics of all runs. `workflow` is the name of
 * what the runs belong to; may be empty.
 */
export function recordRuns(recorder: Recorder, runs: readonly TracedRun[], workflow: string): void {
  const metrics = openMetrics(recorder.meter);
  const { tracer, context } = recorder;
  const isOne = runs.length < 2 && workflow === '';
  const above = isOne ? context : recordSpan(recorder, getWorkflowSpan(runs, workflow));
  for (const run of runs) {
    const inside = recordSpan({ tracer, context: above }, getAgentSpan(run));
    recordRun({ tracer, context: inside }, metrics, run);
  }
}

const getStart = ({ outcome }: TracedRun) => Date.parse(outcome.startedAt);
const getEnd = (run: TracedRun) => getStart(run) + run.outcome.durationMs;

function openMetrics(meter: Meter) {
  const getBounds = (first: number, factor: number) => ({
    explicitBucketBoundaries: Array.from({ length: 14 }, (_, i) => first * factor ** i),
  });
  return {
    tokens: meter.createHistogram('gen_ai.client.token.usage', {
      unit: '{token}',
      description: 'Tokens of each request to the model.',
      advice: getBounds(1, 4), // as the conventions give them
    }),
    requests: meter.createHistogram('gen_ai.client.operation.duration', {
      unit: 's',
      description: 'Duration of each request to the model.',
      advice: getBounds(0.01, 2), // as the conventions give them
    }),
    durations: meter.createHistogram('photon.run.duration', {
      unit: 's',
      description: 'Duration of each run.',
      advice: getBounds(1, 2), // one second to about two hours
    }),
    endings: meter.createCounter('photon.runs', {
      unit: '{run}',
      description: 'Runs by how they ended.',
    }),
    costs: meter.createCounter('photon.run.cost', {
      unit: '1',
      description: 'Cost of the runs, in the currency of the prices.',
    }),
  };
}

type SpanRecorder = Pick<Recorder, 'tracer' | 'context'>;

function recordRun(
  recorder: SpanRecorder,
  metrics: ReturnType<typeof openMetrics>,
  run: TracedRun,
): void {
  const { status, code, engine, model, provider, usage, durationMs } = run.outcome;
  const ending = { 'photon.status': status, 'photon.code': code, 'photon.engine': engine };
  metrics.durations.record(durationMs / 1000, ending);
  metrics.endings.add(1, ending);
  if (usage.cost !== undefined)
    metrics.costs.add(usage.cost, { 'gen_ai.request.model': model, 'photon.status': status });
  for (const round of readTimeline(run.ledger, getStart(run)).rounds) {
    const facts = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': round.model || model,
    };
    const isModel = engine !== 'builtin';
    recordSpan(recorder, getRoundSpan(run, round, isModel ? facts : undefined));
    for (const call of round.calls) recordSpan(recorder, getToolSpan(run, call));
    if (!isModel) continue;
    metrics.tokens.record(round.inputTokens, { ...facts, 'gen_ai.token.type': 'input' });
    metrics.tokens.record(round.outputTokens, { ...facts, 'gen_ai.token.type': 'output' });
    const ended = round.code ? { ...facts, 'error.type': round.code } : facts;
    metrics.requests.record(round.durationMs / 1000, ended);
  }
}

interface SpanSource extends SpanOptions {
  readonly name: string;
  readonly endTime: Date;
  /** Code of the error; empty without one. */
  readonly error: string;
  readonly events?: readonly (readonly [string, Attributes, Date])[];
}

/** Records a span, and returns the context of those inside. */
function recordSpan({ tracer, context }: SpanRecorder, source: SpanSource): Context {
  const { name, error, endTime, events = [], attributes, ...options } = source;
  const all = { ...attributes, 'error.type': error || undefined };
  const span = tracer.startSpan(name, { ...options, attributes: all }, context);
  for (const event of events) span.addEvent(...event);
  if (error !== '') span.setStatus({ code: SpanStatusCode.ERROR, message: error });
  span.end(endTime);
  return trace.setSpan(context, span);
}

const getErrorCode = ({ outcome: { status, code } }: TracedRun) => (isFailure(status) ? code : '');

function getWorkflowSpan(runs: readonly TracedRun[], name: string): SpanSource {
  return {
    name: name === '' ? 'invoke_workflow' : `invoke_workflow ${name}`,
    startTime: new Date(Math.min(...runs.map(getStart))),
    endTime: new Date(Math.max(...runs.map(getEnd))),
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': name || undefined,
    },
    error: runs.map(getErrorCode).find(code => code !== '') ?? '',
  };
}

function getAgentSpan(run: TracedRun): SpanSource {
  const { outcome, ledger } = run;
  const { usage, prompt, task } = outcome;
  const agent = prompt.agent || 'photon';
  return {
    name: `invoke_agent ${agent}`,
    startTime: new Date(getStart(run)),
    endTime: new Date(getEnd(run)),
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
    events: readTimeline(ledger, getStart(run)).marks.map(({ tool, phase, seq, startMs }) => [
      tool,
      { 'photon.phase': phase, 'photon.ledger.entry': seq },
      new Date(getStart(run) + startMs),
    ]),
  };
}

function getRoundSpan(run: TracedRun, round: Round, facts: Attributes | undefined): SpanSource {
  const entry = {
    'photon.round': round.number,
    'photon.phase': round.phase,
    'photon.ledger.entry': round.seq,
  };
  const source = { ...getTimes(run, round), error: round.code ?? '' };
  if (facts === undefined) return { ...source, name: 'repair', attributes: entry };
  return {
    ...source,
    name: `chat ${facts['gen_ai.request.model']}`,
    kind: SpanKind.CLIENT,
    attributes: {
      ...facts,
      ...entry,
      'gen_ai.usage.input_tokens': round.inputTokens,
      'gen_ai.usage.output_tokens': round.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': round.cachedTokens,
      'photon.cost': round.cost,
    },
  };
}

function getToolSpan(run: TracedRun, call: TimelineEntry): SpanSource {
  return {
    ...getTimes(run, call),
    name: `execute_tool ${call.tool}`,
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
function getTimes(run: TracedRun, { startMs, durationMs }: TimelineEntry) {
  const toDate = (ms: number) => new Date(Math.min(getStart(run) + ms, getEnd(run)));
  return { startTime: toDate(startMs), endTime: toDate(startMs + durationMs) };
}
