/** Opens a protocol by its name; loads the XML parser only when it is used. */
import type { ToolDefinition } from '../turn.ts';
import { openNativeProtocol } from './native.ts';
import type { Protocol, ProtocolName } from './protocol.ts';
import { openXmlProtocol } from './xml.ts';

/** Opens a protocol over the tools of a run. */
export async function openProtocol(
  name: ProtocolName,
  tools: readonly ToolDefinition[],
): Promise<Protocol> {
  return name === 'xml' ? openXmlProtocol(tools) : openNativeProtocol(tools);
}
