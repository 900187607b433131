/** The tools of the next request, and its size. */
import type { Protocol } from '../../model/protocols/protocol.ts';
import type { Message, ToolDefinition } from '../../model/turn.ts';
import { fill, type Profile } from '../context/profile.ts';
import { conversationBytes } from '../context/transcript.ts';
import type { LoopState } from './loop-state.ts';

export interface OfferedTools {
  readonly state: LoopState;
  readonly profile: Profile;
  readonly protocol: Protocol;
}

/**
 * The core tools, what a skill of the allowlist can grant, and what the active skills grant, as the next request
 * defines them. An activation so changes no definition, and the endpoint's cache keeps its prefix; the guard refuses a
 * call that no active skill grants.
 */
export function toolsNow({ state, profile, protocol }: OfferedTools): readonly ToolDefinition[] {
  const { permittedTools } = state.evidence;
  const permitted = protocol.tools
    .filter(t => permittedTools.has(t.name) || t.isGrantable === true)
    .map(tool => ({ ...tool, parameters: tool.brief ?? tool.parameters }));
  if (state.thoughtlessReplies === 0) return permitted;
  const description = fill(profile.templates, 'reason_argument', {});
  return permitted.map(tool => askingForReason(tool, description));
}

/** A definition with the argument `reason`, which every call accepts; one that has its own stays as it is. */
function askingForReason(tool: ToolDefinition, description: string): ToolDefinition {
  const { properties = {}, required = [] } = tool.parameters as {
    properties?: Readonly<Record<string, unknown>>;
    required?: readonly string[];
  };
  if ('reason' in properties) return tool;
  const parameters = {
    ...tool.parameters,
    properties: { reason: { type: 'string', description }, ...properties },
    required: ['reason', ...required],
  };
  return { ...tool, parameters };
}

/** Bytes of a request, rather too many than too few. */
export function bytesOfRequest(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): number {
  const definitions = tools.reduce((sum, tool) => sum + bytesOfTool(tool), 0);
  return conversationBytes(messages) + definitions + 50 * tools.length + 200;
}

/** Bytes of a definition with the comma behind it. */
function bytesOfTool({ name, description, parameters }: ToolDefinition): number {
  return Buffer.byteLength(JSON.stringify({ name, description, parameters })) + 1;
}
