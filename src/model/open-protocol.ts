/** The protocols by name; the XML parser is loaded only where it is used. */
import { type Protocol, type ProtocolName, parserVersions } from './protocol.ts';
import type { Message, ToolDefinition } from './turn.ts';

/** Opens a protocol over the tools of a run. */
export async function openProtocol(
  name: ProtocolName,
  tools: readonly ToolDefinition[],
): Promise<Protocol> {
  if (name === 'xml') return (await import('./xml.ts')).openXmlProtocol(tools);
  const parserVersion = parserVersions.native;
  const same = { render: (messages: readonly Message[]) => messages };
  return { name, parserVersion, grammar: '', tools, ...same, decode: turn => ({ turn }) };
}
