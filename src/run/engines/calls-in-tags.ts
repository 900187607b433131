/** Calls as tags in the text, for an endpoint that takes no tools. */
import { randomBytes } from 'node:crypto';
import { renderResult } from '../../agent/context/model-conversation.ts';
import { fill, type Profile } from '../../agent/context/profile.ts';
import { firstProblem, repairMessages } from '../../agent/loop/take-turn.ts';
import { NoToolsError } from '../../model/endpoint-facts.ts';
import type { Protocol } from '../../model/protocols/protocol.ts';
import { openXmlProtocol } from '../../model/protocols/xml.ts';
import { findCallsInText, readCallsInText } from '../../model/reading/calls-in-text.ts';
import type { Message, Model, ModelRequest, Turn } from '../../model/turn.ts';

interface TagOptions {
  readonly profile: Pick<Profile, 'templates' | 'limits'>;
  /** Called once, with what was learned of the endpoint, when calls become tags. */
  readonly onTags: (fact: string) => void;
}

/** Replies with calls in their text and without a tool call, after which calls become tags. */
const maxWritten = 2;

/**
 * The same model. Once its endpoint refuses a request because of the tools, or leaves the calls of two replies in their
 * text, calls are tags: the request explains them, and the reply is decoded to the calls that a native reply would make.
 * @throws PhotonError as the model, and the code of the first problem when a reply stays unreadable.
 */
export function withTags(model: Model, { profile, onTags }: TagOptions): Model {
  let refused = false;
  let written = 0;
  const useTags = (why: string) => {
    refused = true;
    onTags(`${why}, so calls are tags in the text`);
  };
  const mark = `data-${randomBytes(8).toString('hex')}`;
  return {
    name: model.name,
    complete: async (request, signal) => {
      if (request.tools.length === 0) return model.complete(request, signal);
      if (!refused)
        try {
          const turn = await model.complete(request, signal);
          const form = findCallsInText(turn.text, request.tools);
          if (turn.calls.length > 0) written = 0;
          else if (form !== undefined) written += 1;
          if (written >= maxWritten) useTags(`its model writes calls into the text (${form})`);
          return turn;
        } catch (error) {
          if (!(error instanceof NoToolsError)) throw error;
          useTags(`it takes no tools (${error.reason})`);
        }
      const protocol = openXmlProtocol(request.tools);
      const messages = protocol.render(inTags(request, { protocol, profile, mark }));
      const ask = (sent: readonly Message[]) =>
        model.complete({ ...request, tools: [], messages: sent }, signal);
      return readable(await ask(messages), { ask, protocol, profile, tools: request.tools });
    },
  };
}

/** The turn of a reply in tags, after at most the repairs that the profile allows. */
async function readable(
  given: Turn,
  {
    ask,
    protocol,
    profile: { templates, limits },
    tools,
  }: {
    readonly ask: (messages: readonly Message[]) => Promise<Turn>;
    readonly protocol: Protocol;
    readonly profile: TagOptions['profile'];
    readonly tools: ModelRequest['tools'];
  },
): Promise<Turn> {
  let turn = given;
  let { usage } = turn;
  for (let repairs = 0; ; repairs++) {
    const decoded = protocol.decode(turn);
    const isRead = 'turn' in decoded && decoded.turn.calls.length > 0;
    // some models keep to the form of their template
    const written = isRead ? undefined : readCallsInText(turn.text, tools);
    if (written !== undefined) return { ...turn, ...written, usage };
    if ('turn' in decoded) return { ...decoded.turn, usage };
    if (repairs >= limits.parseRepairs) throw firstProblem(decoded.problems, repairs);
    turn = await ask(repairMessages(templates, decoded, limits.resultBytes));
    usage = {
      ...turn.usage,
      inputTokens: usage.inputTokens + turn.usage.inputTokens,
      outputTokens: usage.outputTokens + turn.usage.outputTokens,
    };
  }
}

/** The messages with the grammar in the system prompt, and with each result named by its call. */
function inTags(
  { messages, tools }: ModelRequest,
  {
    protocol,
    profile: { templates },
    mark,
  }: {
    readonly protocol: Protocol;
    readonly profile: TagOptions['profile'];
    readonly mark: string;
  },
): readonly Message[] {
  const grammar = fill(templates, 'tools', {
    tools: protocol.grammar(new Set(tools.map(t => t.name))),
  });
  const explained = fill(templates, 'calls_in_tags', { tools: grammar });
  let reply: Extract<Message, { role: 'assistant' }> | undefined;
  return messages.map((message, i): Message => {
    if (message.role === 'system' && i === 0)
      return { role: 'system', text: `${message.text}\n\n${explained}` };
    if (message.role === 'assistant') reply = message;
    if (message.role !== 'tool' || reply === undefined) return message;
    const at = reply.calls.findIndex(c => c.id === message.callId);
    const call = reply.calls[at];
    const { text } = message;
    const shown = renderResult({ call, text, number: at + 1 }, { templates, mark });
    return { ...message, text: shown };
  });
}
