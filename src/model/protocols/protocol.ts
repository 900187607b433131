/** The interface of a protocol: calls are native tool calls, or instruction tags in the text. */
import { readCall } from '../reading/read-call.ts';
import type { Message, ToolDefinition, Turn } from '../turn.ts';
import type { XmlProblem } from './xml-problems.ts';

export const protocolNames = ['native', 'xml'] as const;

/** A decoded reply, or the problems because of which none of its calls may run. */
export type DecodeResult =
  | {
      readonly turn: Turn;
      /** What of the calls was read in another way than it was sent, such as `grep name; plan arguments`. */
      readonly readAs?: string | undefined;
    }
  | { readonly problems: readonly XmlProblem[]; readonly reply: string };

export interface Protocol {
  /** Tells the model how to call the named tools if the endpoint does not get them; otherwise empty. */
  grammar(names: ReadonlySet<string>): string;
  /** All tools of the run that the endpoint may get with a request. */
  readonly tools: readonly ToolDefinition[];
  /** The conversation as it is sent. */
  render(messages: readonly Message[]): readonly Message[];
  decode(turn: Turn): DecodeResult;
}

/** Parser version of each protocol: it changes whenever the same reply could decode differently. */
export const parserVersions: Readonly<Record<(typeof protocolNames)[number], string>> = {
  native: 'tool_calls_v2',
  xml: 'xml_attrless_v1',
};

/** Opens the native protocol over the tools of a run. */
export function openNativeProtocol(tools: readonly ToolDefinition[]): Protocol {
  return {
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
