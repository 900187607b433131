/** Makes a request fit the context window, and lets the evidence forget what the model no longer sees. */
import { PhotonError } from '../../base/codes.ts';
import { sum } from '../../base/plural.ts';
import { policyInForce } from '../../guard/decide.ts';
import { addEvidence, type TracedEvent } from '../../guard/evidence.ts';
import { toLineRanges } from '../../guard/read-lines.ts';
import { mark } from '../../ledger/ledger.ts';
import type { TooLongError } from '../../model/too-long.ts';
import type { Message, ToolDefinition } from '../../model/turn.ts';
import { fill } from '../context/profile.ts';
import { conversationBytes } from '../context/transcript.ts';
import {
  estimateTokens,
  fitsWindow,
  requestBytes,
  type Window,
  windowAfterRefusal,
} from '../limits/window.ts';
import type { LoopRun, LoopState } from './loop-state.ts';

/** Part of the free bytes that the results of one round may take. */
const shareOfRound = 1 / 3;
/** Bytes of a result that are always allowed: less would show nothing. */
const leastResult = 400;

/**
 * The messages of the next request, within the window.
 * @throws PhotonError `MODEL_CONTEXT` when the rules, the tools and the task alone do not fit.
 */
export function fitRequest(run: LoopRun, systemPrompt: string): readonly Message[] {
  const { state, policy, loop } = run;
  const { settings } = policy;
  const { protocol, conversation } = loop;
  const { window, spent } = state;
  const system = { role: 'system' as const, text: systemPrompt };
  const tools = toolsNow(run);
  const fixed = bytesOfRequest([system], tools);
  const maxBytes = requestBytes(window, settings.maxOutputTokens, spent) - fixed;
  conversation.fit({ maxBytes, plannedFiles: new Set(state.evidence.plan?.affectedFiles) });
  forgetUnseen(run);
  const messages = [system, ...conversation.messages()];
  const bytes = bytesOfRequest(protocol.render(messages), tools);
  if (!fitsWindow(window, bytes, spent))
    throw new PhotonError(
      'MODEL_CONTEXT',
      `The next request needs about ${estimateTokens(bytes, spent)} tokens and a reply, and the context window has ${window}.`,
    );
  const [, task] = messages;
  const free = maxBytes - conversationBytes(task === undefined ? [] : [task]);
  state.freeBytes = Math.max(leastResult, Math.floor(free * shareOfRound));
  return messages;
}

/** Takes the size of a result from what the other results of the round may have. */
export function useFreeBytes(state: LoopState, text: string): void {
  state.freeBytes = Math.max(leastResult, state.freeBytes - Buffer.byteLength(text));
}

/** Makes the window smaller after the endpoint refused these messages as too long, and corrects what its tokens are. */
export function learnWindow(
  run: LoopRun,
  sent: readonly Message[],
  { tooLong }: TooLongError,
): void {
  const { state, policy, loop } = run;
  const { settings } = policy;
  const { protocol } = loop;
  const bytes = bytesOfRequest(protocol.render(sent), toolsNow(run));
  const requested = estimateTokens(bytes, state.spent) + settings.maxOutputTokens;
  const accepted = state.spent.lastInputTokens;
  state.window = windowAfterRefusal(state.window, { requested, accepted }, tooLong);
  if (tooLong.prompt !== undefined)
    state.spent = { ...state.spent, lastBytes: bytes, lastInputTokens: tooLong.prompt };
  record(run, [], state.window);
}

/**
 * Makes the window smaller after the endpoint saw a part of a request alone.
 * @returns false where rules, tools and task do not fit into such a window: the run goes on with what it has.
 */
export function learnCut(run: LoopRun, systemPrompt: string, window: number): boolean {
  const { state, policy, loop } = run;
  const { settings } = policy;
  const { protocol, conversation } = loop;
  const system = protocol.render([{ role: 'system', text: systemPrompt }]);
  const fixed = bytesOfRequest(system, toolsNow(run));
  const free = requestBytes(window, settings.maxOutputTokens, state.spent) - fixed;
  if (free < conversation.leastBytes() + leastResult) return false;
  state.window = Math.min(window, state.window ?? window);
  record(run, [], state.window);
  return true;
}

/** Lines that no message shows any more may not be changed before they are read again. */
function forgetUnseen(run: LoopRun): void {
  const { state, loop } = run;
  const { conversation } = loop;
  const events = state.seen
    .keep(conversation.shownLines())
    .map(
      ({ path, lines }): TracedEvent => ({ kind: 'forgotten', path, lines: toLineRanges(lines) }),
    );
  if (events.length === 0) return;
  // what the model no longer sees it may ask for again
  state.results.clear();
  state.evidence = events.reduce(addEvidence, state.evidence);
  record(run, events, state.window);
}

function record(
  { state, request: { ledger } }: LoopRun,
  events: readonly TracedEvent[],
  window: Window,
): void {
  ledger.append({
    ...mark('context.fit', window === undefined ? {} : { window }),
    phase: state.evidence.phase,
    forgotten: events,
  });
}

/**
 * The core tools, what a skill of the allowlist can grant, and what the active skills grant, as the next request
 * defines them. An activation so changes no definition, and the endpoint's cache keeps its prefix; the guard refuses a
 * call that no active skill grants. In strict mode, tools of inactive skills are not offered.
 */
export function toolsNow({
  state,
  policy: { constitution, profile },
  loop: { protocol },
}: LoopRun): readonly ToolDefinition[] {
  const { permittedTools } = state.evidence;
  const isStrict = policyInForce(constitution, state.evidence).reads === 'strict';
  const permitted = protocol.tools
    .filter(t => permittedTools.has(t.name) || (t.isGrantable === true && !isStrict))
    .map(tool => ({ ...tool, parameters: tool.brief ?? tool.parameters }));
  if (state.thoughtlessReplies === 0) return permitted;
  const description = fill(profile.templates, 'reason_argument', {});
  return permitted.map(tool => askingForReason(tool, description));
}

/** A definition that demands the argument `reason`, which every call accepts. */
function askingForReason(tool: ToolDefinition, description: string): ToolDefinition {
  const { properties = {}, required = [] } = tool.parameters as {
    properties?: Readonly<Record<string, unknown>>;
    required?: readonly string[];
  };
  const parameters = {
    ...tool.parameters,
    properties: { reason: { type: 'string', description }, ...properties },
    required: [...new Set(['reason', ...required])],
  };
  return { ...tool, parameters };
}

/** Bytes of a request, rather too many than too few. */
export function bytesOfRequest(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): number {
  const definitions = sum(tools.map(bytesOfTool));
  return conversationBytes(messages) + definitions + 50 * tools.length + 200;
}

/** Bytes of a definition with the comma behind it. */
function bytesOfTool({ name, description, parameters }: ToolDefinition): number {
  return Buffer.byteLength(JSON.stringify({ name, description, parameters })) + 1;
}
