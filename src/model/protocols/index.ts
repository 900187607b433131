/** Opens a protocol by its name; loads the XML parser only when it is used. */
import type { ToolDefinition } from '../turn.ts';
import { type Protocol, type ProtocolName, parserVersions } from './protocol.ts';
import { openXmlProtocol } from './xml.ts';

/** Opens a protocol over the tools of a run. */
export async function openProtocol(
  name: ProtocolName,
  tools: readonly ToolDefinition[],
): Promise<Protocol> {
  if (name === 'xml') return openXmlProtocol(tools);
  return {
    name,
    parserVersion: parserVersions.native,
    grammar: () => '',
    tools,
    render: messages => messages,
    decode: turn => ({ turn }),
  };
}
