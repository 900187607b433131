/** Renders what `photon doctor --model` finds. */
import { joinDefined } from '../../base/plural.ts';
import type { ModelReport } from '../../model/examine-model.ts';

/** The settings to use, and what is wrong: empty if a run works with the settings as they are. */
export function modelAdvice(found: ModelReport, agentProfile: string): readonly string[] {
  const { tools, plain, failure, window } = found;
  if (!plain && failure !== undefined) return [`${failure.code}: ${failure.hint}`];
  if (!plain) return ['The endpoint answers no request. Check base-url and the name of the model.'];
  return [
    tools === false && agentProfile !== 'kjxlkj-agent'
      ? 'The model calls no tools here. Set agent-profile: kjxlkj-agent.'
      : undefined,
    window.kind === 'cut'
      ? 'The endpoint drops the beginning of a long prompt without an error. Raise its context window (Ollama: OLLAMA_CONTEXT_LENGTH, llama.cpp: --ctx-size).'
      : undefined,
    window.kind === 'refused'
      ? 'The context window is too small for most tasks. Use a model with a larger one.'
      : undefined,
  ].filter(item => item !== undefined);
}

export function renderModel(found: ModelReport, advice: readonly string[]): string {
  const { model, baseUrl, tools, streams, parallelCalls, failure } = found;
  const mark = (holds: boolean | undefined) =>
    holds === undefined ? '?      ' : holds ? 'holds  ' : 'MISSING';
  const row = (holds: boolean | undefined, name: string, meaning: string) =>
    `  ${mark(holds)} ${name.padEnd(10)} ${meaning}`;
  return joinDefined([
    `model:   ${model} at ${baseUrl}`,
    row(tools, 'tools', 'calls a tool with the arguments that were asked for'),
    row(streams, 'stream', 'sends its reply in parts'),
    row(
      parallelCalls,
      'parallel',
      'calls several tools in one reply; without it, runs take more rounds',
    ),
    row(windowHolds(found), 'window', windowText(found)),
    `used:    ${found.inputTokens} input tokens, ${found.outputTokens} output tokens`,
    failure !== undefined && `error:   ${failure.message}`,
    ...advice.map(a => `help: ${a}`),
    advice.length === 0 ? 'The settings fit this endpoint.' : undefined,
    '',
  ]);
}

function windowHolds({ window }: ModelReport): boolean | undefined {
  return window.kind === 'unknown'
    ? undefined
    : window.kind === 'stated' || window.kind === 'at-least';
}

function windowText({ window }: ModelReport): string {
  if (window.kind === 'unknown') return 'not known';
  if (window.kind === 'refused') return window.message;
  const { kind, tokens } = window;
  if (kind === 'stated') return `${tokens} tokens, as the endpoint states`;
  if (kind === 'at-least') return `at least ${tokens} tokens`;
  return `a long prompt was cut, and counted as ${tokens} tokens`;
}
