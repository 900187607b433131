/** What the model sees of a run besides its rules: a bounded transcript, or memory and the last results. */
import type { Ram } from '../../memory/ram.ts';
import type { ProtocolName } from '../../model/protocol.ts';
import type { Message, ToolCall, Turn } from '../../model/turn.ts';
import { fill, type Profile, type Templates } from './profile.ts';
import { boundRounds, type ShownRound, withoutInactive } from './transcript.ts';

/** The result of a call, as the model sees it; `call` is null for a reply without calls. */
export interface CallResult {
  readonly call: ToolCall | null;
  readonly text: string;
  /** Activation of a skill that must last for the text to be shown. */
  readonly whileActive?: string;
}

export interface ModelConversation {
  /** Everything but the system prompt, for the next request. */
  messages(): readonly Message[];
  add(turn: Turn, answers: readonly CallResult[]): void;
}

export interface ConversationOptions {
  readonly profile: Profile;
  readonly taskPrompt: string;
  readonly ram: Ram;
  /** Names of the states that are on now. */
  readonly states: () => readonly string[];
  readonly isActive: (skill: string) => boolean;
  /** Random word that marks data in the prompt. */
  readonly mark: string;
}

/** Opens the conversation that the profile asks for. */
export function openConversation(options: ConversationOptions): ModelConversation {
  return options.profile.memory === 'ram' ? openRamConversation(options) : openTranscript(options);
}

/** The bounded transcript; notes say what was dropped. */
function openTranscript({
  profile,
  taskPrompt,
  mark,
  isActive,
}: ConversationOptions): ModelConversation {
  const { protocol, templates, limits } = profile;
  const task: Message = { role: 'user', text: taskPrompt };
  let rounds: readonly ShownRound[] = [];
  let dropped = 0;
  const keep = (turn: Turn, answers: readonly CallResult[]) => {
    const round = roundOf(turn, answers, { protocol, templates, mark });
    const bound = boundRounds([...rounds, round], limits.transcriptBytes, templates);
    rounds = bound.rounds;
    dropped += bound.dropped;
  };
  return {
    add: keep,
    messages: () => [
      task,
      ...(dropped === 0
        ? []
        : [
            { role: 'user' as const, text: fill(templates, 'dropped_rounds', { rounds: dropped }) },
          ]),
      ...withoutInactive(
        rounds.flatMap(r => [r.reply, ...r.answers]),
        { isActive, templates },
      ),
    ],
  };
}

/** Results in the form of the protocol: as replies to call ids, or as text. */
function roundOf(
  turn: Turn,
  answers: readonly CallResult[],
  form: { readonly protocol: ProtocolName; readonly templates: Templates; readonly mark: string },
): ShownRound {
  const { text, calls, opaque } = turn;
  const reply = { role: 'assistant' as const, text, calls, ...(opaque && { opaque }) };
  return {
    reply,
    answers: answers.map(({ call, text: result, whileActive }, i): Message => {
      if (call === null) return { role: 'user', text: result };
      const { id, name } = call;
      const only = whileActive === undefined ? {} : { whileActive };
      if (form.protocol === 'native')
        return { role: 'tool', callId: id, name, text: result, ...only };
      const shown = renderResult({ call, text: result, number: i + 1 }, form);
      return { role: 'tool', callId: id, name, text: shown, ...only };
    }),
  };
}

/** Every request holds the task, the memory, the states and the results of the last round, and nothing else. */
function openRamConversation(options: ConversationOptions): ModelConversation {
  const { profile, taskPrompt, ram, states, mark, isActive } = options;
  const { templates, limits } = profile;
  let results = fill(templates, 'no_results', {});
  /** Texts of active skills that earlier rounds asked for. */
  let skillTexts: readonly SkillText[] = [];
  let fresh: readonly SkillText[] = [];
  return {
    add: (_turn, answers) => {
      skillTexts = newest([...skillTexts, ...fresh], maxSkillTextBytes);
      fresh = answers.flatMap(({ call, text, whileActive }, i) =>
        whileActive === undefined
          ? []
          : [
              {
                activation: whileActive,
                text: renderResult({ call, text, number: i + 1 }, { templates, mark }),
              },
            ],
      );
      const texts = shareOut(answers, limits.resultBytes, templates);
      results = answers
        .map(({ call }, i) =>
          renderResult({ call, text: texts[i] ?? '', number: i + 1 }, { templates, mark }),
        )
        .join('\n');
    },
    messages: () => {
      const entries = ram
        .entries()
        .map(([key, value]) => fill(templates, 'memory_entry', { key, value }));
      const kept = entries.join('\n') || fill(templates, 'no_memory', {});
      skillTexts = skillTexts.filter(t => isActive(t.activation));
      const text = [
        taskPrompt,
        ...skillTexts.map(t => t.text),
        fill(templates, 'memory', { entries: kept }),
        fill(templates, 'states', { states: states().join(', ') }),
        fill(templates, 'results', { results }),
      ].join('\n\n');
      return [{ role: 'user', text }];
    },
  };
}

/** A text that is shown while an activation of a skill lasts. */
interface SkillText {
  readonly activation: string;
  readonly text: string;
}

/** Most bytes of texts of active skills in each request. */
const maxSkillTextBytes = 16_000;

/** The newest texts that fit together. */
function newest(texts: readonly SkillText[], maxBytes: number): readonly SkillText[] {
  let left = maxBytes;
  const from = texts.findLastIndex(({ text }) => {
    left -= Buffer.byteLength(text);
    return left < 0;
  });
  return texts.slice(from + 1);
}

/** Most characters of a call's arguments that are shown with its result. */
const maxArguments = 200;

function renderResult(
  { call, text, number }: CallResult & { readonly number: number },
  { templates, mark }: { readonly templates: Templates; readonly mark: string },
): string {
  if (call === null) return text;
  const { argumentsText: all, name: tool } = call;
  const args = all.length > maxArguments ? `${all.slice(0, maxArguments)}…` : all;
  const data = fill(templates, 'data', { mark, text });
  return fill(templates, 'result', { number, tool, arguments: args, text: data });
}

/** Cuts texts so that together they stay within a bound; the space that a short text leaves goes to the next. */
function shareOut(
  answers: readonly CallResult[],
  maxBytes: number,
  templates: Templates,
): readonly string[] {
  let left = maxBytes;
  return answers.map(({ text }, i) => {
    const share = Math.floor(left / (answers.length - i));
    const shown = cutText(text, share, templates);
    left -= Math.min(left, Buffer.byteLength(shown));
    return shown;
  });
}

/** Cuts a text to a number of bytes; a note says what was left out. */
export function cutText(text: string, maxBytes: number, templates: Templates): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const kept = bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  const more = bytes.length - Buffer.byteLength(kept);
  return `${kept}\n${fill(templates, 'cut', { bytes: more })}`;
}
