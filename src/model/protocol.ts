/** How calls travel in a conversation: as native tool calls, or as instruction tags in the text. */
import type { Message, ToolDefinition, Turn } from './turn.ts';
import type { XmlProblem } from './xml-problems.ts';

export const protocolNames = ['native', 'xml'] as const;
export type ProtocolName = (typeof protocolNames)[number];

/** A reply as the engine takes it, or why nothing of it may be carried out. */
export type Decoded =
  | { readonly turn: Turn }
  | { readonly problems: readonly XmlProblem[]; readonly reply: string };

export interface Protocol {
  readonly name: ProtocolName;
  /** Changes whenever the same reply could be read differently. */
  readonly parserVersion: string;
  /** What tells the model how to call the tools, where the endpoint is not told of them; else empty. */
  readonly grammar: string;
  /** Tools for the endpoint itself. */
  readonly tools: readonly ToolDefinition[];
  /** The conversation in the form of the wire. */
  render(messages: readonly Message[]): readonly Message[];
  decode(turn: Turn): Decoded;
}

/** Versions of the two ways to read a reply. */
export const parserVersions: Readonly<Record<ProtocolName, string>> = {
  native: 'tool_calls_v1',
  xml: 'xml_attrless_v1',
};
