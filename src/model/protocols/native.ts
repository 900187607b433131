/** The native protocol: calls are tool calls of the API, and what they plainly mean is what counts. */
import { readCall } from '../reading/read-call.ts';
import type { ToolDefinition } from '../turn.ts';
import { type Protocol, parserVersions } from './protocol.ts';

/** Opens the native protocol over the tools of a run. */
export function openNativeProtocol(tools: readonly ToolDefinition[]): Protocol {
  return {
    name: 'native',
    parserVersion: parserVersions.native,
    grammar: () => '',
    tools,
    render: messages => messages,
    decode: turn => {
      const read = turn.calls.map(call => readCall(call, tools));
      const repaired = read.filter(each => each.repaired.length > 0);
      const readAs = [
        ...(turn.readAs ?? []),
        ...repaired.map(({ call, repaired: what }) => `${call.name} ${what.join(' and ')}`),
      ];
      return {
        turn: { ...turn, calls: read.map(({ call }) => call) },
        readAs: readAs.length === 0 ? undefined : readAs.join('; '),
      };
    },
  };
}
