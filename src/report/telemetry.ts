/** Records OpenTelemetry spans of finished runs, from outcome and ledger (docs/platform-team.md). */
import {
  type Attributes,
  type Context,
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

/** Where spans are recorded. */
interface Recorder {
  readonly tracer: Tracer;
  /** Holds the span that those of the runs lie below, if there is one. */
  readonly context: Context;
}

/**
 * Records one trace with a span for each run, round and tool call. `workflow` is the name of what the runs belong to; may be
 * empty.
 */
export function recordRuns(recorder: Recorder, runs: readonly TracedRun[], workflow: string): void {
  const { tracer, context } = recorder;
  const isOne = runs.length < 2 && workflow === '';
  const above = isOne ? context : recordSpan(recorder, getWorkflowSpan(runs, workflow));
  for (const run of runs) {
    const { rounds, marks } = readTimeline(run.ledger, getStart(run));
    const inside = recordSpan({ tracer, context: above }, getAgentSpan(run, marks));
    for (const round of rounds) {
      recordSpan({ tracer, context: inside }, getRoundSpan(run, round));
      for (const call of round.calls)
        recordSpan({ tracer, context: inside }, getToolSpan(run, call));
    }
  }
}

const getStart = ({ outcome }: TracedRun) => Date.parse(outcome.startedAt);
const getEnd = (run: TracedRun) => getStart(run) + run.outcome.durationMs;

interface SpanSource extends SpanOptions {
  readonly name: string;
  readonly endTime: Date;
  /** Code of the error; empty without one. */
  readonly error: string;
  readonly events?: readonly (readonly [string, Attributes, Date])[];
}

/** Records a span, and returns the context of those inside. */
function recordSpan({ tracer, context }: Recorder, source: SpanSource): Context {
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

function getAgentSpan(run: TracedRun, marks: readonly TimelineEntry[]): SpanSource {
  const { outcome } = run;
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
    events: marks.map(({ tool, phase, seq, startMs }) => [
      tool,
      { 'photon.phase': phase, 'photon.ledger.entry': seq },
      new Date(getStart(run) + startMs),
    ]),
  };
}

function getRoundSpan(run: TracedRun, round: Round): SpanSource {
  const { engine, provider } = run.outcome;
  const entry = {
    'photon.round': round.number,
    'photon.phase': round.phase,
    'photon.ledger.entry': round.seq,
  };
  const source = { ...getTimes(run, round), error: round.code ?? '' };
  if (engine === 'builtin') return { ...source, name: 'repair', attributes: entry };
  const model = round.model || run.outcome.model;
  return {
    ...source,
    name: `chat ${model}`,
    kind: SpanKind.CLIENT,
    attributes: {
      ...entry,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
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
