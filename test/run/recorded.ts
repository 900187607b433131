/**
 * Recorded conversations: a task on a small repository, the replies of the model as the chat API gives them, and the
 * requests that Photon sent. They are files of `test/fixtures/conversations/`, and are written anew by `-u`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Body, ScriptedTurn } from '../doubles/model.ts';
import { root } from '../root.ts';
import { type Probed, probe } from './probe.ts';

/** A text; one of several lines is an array of them, so that a diff shows which one changed. */
type Text = string | readonly string[];

/** A choice of a chat completion. */
interface Reply {
  readonly message: {
    readonly role: 'assistant';
    readonly content: string | null;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly type: 'function';
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  };
  readonly finish_reason: string;
}

/** What a person wrote of a conversation. */
interface Given {
  readonly task: string;
  /** All files of the repository. */
  readonly files: Readonly<Record<string, Text>>;
  readonly testCommand: string;
  /** Rounds of a plain agent with read, edit and bash: each look that depends on another one, the edit, the tests and the end. */
  readonly plainRounds: number;
  readonly replies: readonly Reply[];
}

/** A request as it differs from the one before. */
interface RecordedRequest {
  /** Leading messages that are those of the request before. */
  readonly kept: number;
  readonly messages: readonly unknown[];
  /** Every other field; absent where it is as before. A tool is its name where its definition is the shared one. */
  readonly fields?: unknown;
}

export interface Recording extends Given {
  /** The code that it ended with. */
  readonly ends: string;
  /** Refused calls by their codes. */
  readonly refused: Readonly<Record<string, number>>;
  readonly patch: Text;
  readonly requests: readonly RecordedRequest[];
}

/** What the requests of all conversations have in common: stated once, in a file of its own. */
export interface FixedPart {
  /** Every field of a request but `tools` and `messages`. */
  readonly fields: object;
  /** The system prompt. */
  readonly system: readonly string[];
  readonly tools: readonly object[];
}

const folder = join(root, 'test', 'fixtures', 'conversations');
const fixedName = 'fixed-part.json';

/** Path of the file of a conversation, or of the part that all share. */
export const recordingPath = (name: string): string => join(folder, `${name}.json`);
export const fixedPath = join(folder, fixedName);

/** The names of the conversations. */
export const recordingNames: readonly string[] = readdirSync(folder)
  .filter(name => name !== fixedName)
  .map(name => name.replace('.json', ''))
  .sort();

/** A conversation as its file states it. */
export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(recordingPath(name), 'utf8')) as Recording;
}

/** Plays the replies of a conversation through the built command line; strict: under the letter of the constitution. */
export function playRecording(given: Given, strict = false): Promise<Probed> {
  const repository = Object.entries(given.files).map(([path, text]) => [path, joinText(text)]);
  return probe({
    task: given.task,
    repository: Object.fromEntries(repository),
    script: given.replies.map(turnOf),
    strict,
    testCommand: given.testCommand,
  });
}

function turnOf({ message, finish_reason: finish }: Reply): ScriptedTurn {
  const calls = (message.tool_calls ?? []).map(({ id, function: f }) => ({ id, ...f }));
  return { text: message.content ?? '', verbatim: true, calls, finish };
}

/** The part of a conversation's first request that others share. */
export function fixedPartOf(played: Probed): FixedPart {
  const [first] = steadyRequests(played);
  if (first === undefined) throw new Error(`no request: ${played.outcome.message}`);
  const { messages, tools = [], ...fields } = first;
  return { fields, system: String(messages[0]?.content).split('\n'), tools };
}

/** The file of a conversation, with what was played. */
export function renderRecording(given: Given, played: Probed, fixed: FixedPart): string {
  const { task, files, testCommand, plainRounds, replies } = given;
  const recording: Recording = {
    task,
    testCommand,
    plainRounds,
    files: Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, splitText(joinText(text))]),
    ),
    replies,
    ends: played.outcome.code,
    refused: played.refused,
    patch: splitText(played.patch),
    requests: recordRequests(played, fixed),
  };
  return `${JSON.stringify(recording, null, 2)}\n`;
}

/** The file of the part that all conversations share. */
export function renderFixedPart(fixed: FixedPart): string {
  return `${JSON.stringify(fixed, null, 2)}\n`;
}

function recordRequests(played: Probed, fixed: FixedPart): readonly RecordedRequest[] {
  let before: readonly string[] = [];
  let fieldsBefore = JSON.stringify({ ...fixed.fields, tools: fixed.tools.map(nameOf) });
  return steadyRequests(played).map(({ messages, tools = [], ...others }) => {
    const fields = JSON.stringify({ ...others, tools: tools.map(t => recordTool(t, fixed)) });
    const changed = fields !== fieldsBefore;
    fieldsBefore = fields;
    const texts = messages.map(m => JSON.stringify(m));
    const differs = texts.findIndex((text, i) => text !== before[i]);
    const kept = differs < 0 ? texts.length : differs;
    before = texts;
    return {
      kept,
      fields: changed ? splitTexts(JSON.parse(fields)) : undefined,
      messages: messages.slice(kept).map(m => recordMessage(m, fixed)),
    };
  });
}

const nameOf = (tool: object) => (tool as { function: { name: string } }).function.name;

/** The name of a definition that all share, or the definition. */
function recordTool(tool: object, { tools }: FixedPart): unknown {
  const same = tools.some(t => JSON.stringify(t) === JSON.stringify(tool));
  return same ? nameOf(tool) : tool;
}

/** A message; of the system prompt, only the lines after those that all share. */
function recordMessage(message: Body['messages'][number], { system }: FixedPart): unknown {
  if (message.role !== 'system') return splitTexts(message);
  const lines = String(message.content).split('\n');
  const differs = lines.findIndex((line, i) => line !== system[i]);
  const kept = differs < 0 ? lines.length : differs;
  return { role: 'system', keptLines: kept, content: lines.slice(kept) };
}

/** What differs from run to run and from machine to machine, and what stands for it in a recording. */
const volatile: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b\d+(?:\.\d+)? ?(m?s)\b/g, '0 $1'],
  [/(?<=duration_ms:? )[\d.]+/g, '0'],
  // frames of Node itself
  [/(?<=\(?node:[\w/]+):\d+:\d+/g, ''],
];

/** The requests without their folder, random marks and times. */
function steadyRequests({ requests, folder: place }: Probed): readonly Body[] {
  const marks = new Map<string, string>();
  let text = JSON.stringify(requests)
    .replaceAll(place, '/photon')
    .replace(/data-\d{8,}/g, mark => {
      if (!marks.has(mark)) marks.set(mark, `data-${marks.size + 1}`);
      return marks.get(mark) ?? '';
    });
  for (const [pattern, replacement] of volatile) text = text.replace(pattern, replacement);
  return JSON.parse(text) as Body[];
}

const joinText = (text: Text): string => (typeof text === 'string' ? text : text.join('\n'));

const splitText = (text: string): Text => (text.includes('\n') ? text.split('\n') : text);

/** A value with every text of several lines as an array of them. */
function splitTexts(value: unknown): unknown {
  if (typeof value === 'string') return splitText(value);
  if (Array.isArray(value)) return value.map(splitTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, splitTexts(each)]));
}
