/** What the tests of the wires share: a request, and what endpoints answer. */
import type { Api, EndpointFacts } from '../../../src/model/apis/api.ts';
import { messagesApi } from '../../../src/model/apis/messages.ts';
import { emptyTurn, finishTurn, type PartialTurn } from '../../../src/model/apis/partial-turn.ts';
import { responsesApi } from '../../../src/model/apis/responses.ts';
import type { Message, ModelRequest, Turn } from '../../../src/model/turn.ts';
import { anthropic, messagesEvents, messagesReply } from '../../doubles/providers/anthropic.ts';
import {
  openaiResponses,
  responsesEvents,
  responsesReply,
} from '../../doubles/providers/openai-responses.ts';
import type { StrictProvider } from '../../doubles/providers/strict-server.ts';

export const facts: EndpointFacts = {
  api: 'responses',
  leftApi: null,
  missing: null,
  refused: new Set(),
  reasoningEffort: null,
  extraBody: {},
  tokenLimitKey: 'max_completion_tokens',
  stream: true,
  maxReplyTokens: null,
  shortIds: false,
  cacheKey: false,
  images: true,
  emptyContent: null,
  foldsRoles: false,
  wantsReasoning: false,
  showsThinking: false,
};

const tools = [
  {
    name: 'read_code_block',
    description: 'Reads.',
    parameters: { type: 'object', properties: {} },
  },
];

export const request = (messages: readonly Message[]): ModelRequest => ({
  messages,
  tools,
  maxOutputTokens: 1000,
  retries: 'fixed',
  cacheKey: 'photon-1',
});

/** A reply that both doubles can send: two calls, each after a piece of reasoning, and a text. */
export const said = {
  text: 'I read both files.',
  reasoning: 'Both are needed.',
  calls: [
    { id: 'call_a', name: 'read_code_block', arguments: { path: 'a.ts' } },
    { id: 'call_b', name: 'read_code_block', arguments: { path: 'b.ts', note: '"}{' } },
  ],
};

export interface Subject {
  /** Below the address of the double. */
  readonly path: string;
  readonly api: Api;
  readonly provider: StrictProvider;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly object[];
  readonly whole: object;
}

export const subjects: Readonly<Record<string, Subject>> = {
  responses: {
    api: responsesApi,
    path: '/responses',
    provider: openaiResponses,
    headers: { authorization: 'Bearer key-1' },
    events: responsesEvents(said),
    whole: responsesReply(said),
  },
  messages: {
    api: messagesApi,
    path: '/v1/messages',
    provider: anthropic,
    headers: { 'x-api-key': 'key-1', 'anthropic-version': '2023-06-01' },
    events: messagesEvents(said),
    whole: messagesReply(said),
  },
};

export function streamed(api: Api, events: readonly unknown[]) {
  const partial = emptyTurn(false);
  for (const event of events) {
    api.addEvent(partial, event);
    if (partial.problem !== null) break;
  }
  return finishTurn(partial, 100);
}

export function readWhole(api: Api, reply: unknown): PartialTurn {
  const partial = emptyTurn(false);
  api.addWhole(partial, reply);
  return partial;
}

export const turnOf = (result: ReturnType<typeof finishTurn>): Turn => {
  if ('problem' in result) throw new Error(result.problem);
  return result;
};
