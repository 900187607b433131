/** The interface of a conversation with the model, and the texts of results. */
import { cutEnd } from '../../base/plural.ts';
import type { ShownLines } from '../../guard/seen-lines.ts';
import type { Ram } from '../../memory/ram.ts';
import type { AttachedImages, Message, ToolCall, Turn } from '../../model/turn.ts';
import type { CachePrices } from '../limits/budget.ts';
import { fill, type Profile, type Templates } from './profile.ts';

/** The result of a call, as the model sees it; `call` is undefined for a reply without calls. */
export interface CallResult {
  readonly call: ToolCall | undefined;
  readonly text: string;
  /** Activation of a skill that must last for the text to be shown. */
  readonly whileActive?: string;
  /** Lines of files that the text shows. */
  readonly lines?: readonly ShownLines[];
  /** As in the result of the tool. */
  readonly change?: 'patch' | 'undo' | undefined;
  /** True when the text holds nothing but these lines. */
  readonly linesOnly?: boolean;
}

/** What a request may hold, and what matters most in it. */
export interface FitOptions {
  /** Most bytes of all messages but the system prompt. */
  readonly maxBytes: number;
  /** Files of the plan; what shows them stays longest. */
  readonly plannedFiles: ReadonlySet<string>;
}

export interface ModelConversation {
  /** Everything but the system prompt, for the next request. */
  messages(): readonly Message[];
  add(turn: Turn, answers: readonly CallResult[]): void;
  /** Makes the messages fit before a request. */
  fit(options: FitOptions): void;
  /** Bytes of what every request holds beside the system prompt. */
  leastBytes(): number;
  /** The lines of files that the messages show. */
  shownLines(): readonly ShownLines[];
}

export interface ConversationOptions {
  readonly profile: Profile;
  readonly taskPrompt: string;
  /** Text that is shown behind the task and can grow; may be empty. */
  readonly instructions?: () => string;
  /** Images of the task, which every request holds. */
  readonly images?: AttachedImages | undefined;
  readonly ram: Ram;
  /** Names of the states that are on now. */
  readonly states: () => readonly string[];
  readonly isActive: (activation: string) => boolean;
  /** What the active skills permit and ask for; empty without any. */
  readonly activeSkills: () => string;
  /** What says when leaving out superseded results pays. */
  readonly cachePrices: CachePrices;
  /** Random word that marks data in the prompt. */
  readonly mark: string;
}

/** The task, and the instructions of the repository that have joined. */
export function taskText({ taskPrompt, instructions }: ConversationOptions): string {
  const more = instructions?.() ?? '';
  return more === '' ? taskPrompt : `${taskPrompt}\n${more}`;
}

/** Most characters of a call's arguments that are shown with its result. */
const maxArguments = 200;

/** A result as text, with the call that it answers. */
export function renderResult(
  { call, text, number }: CallResult & { readonly number: number },
  { templates, mark }: { readonly templates: Templates; readonly mark: string },
): string {
  if (call === undefined) return text;
  const { argumentsText: all, name: tool } = call;
  const args = cutEnd(all, maxArguments);
  const data = fill(templates, 'data', { mark, text });
  return fill(templates, 'result', { number, tool, arguments: args, text: data });
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
