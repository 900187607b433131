/** The task of a run and the replies of its model, kept so that the run can be replayed without the model and compared. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { once } from '../base/once.ts';
import { describeState } from '../base/outcome.ts';
import { asObject, parseAs, parseJson } from '../base/schema-issue.ts';
import type { Task } from '../base/task.ts';
import { readEntry } from '../ledger/ledger-entry.ts';
import { decodeReply } from '../model/protocols/xml.ts';
import { buildGrammar } from '../model/protocols/xml-grammar.ts';
import type { Model, Turn } from '../model/turn.ts';
import { type InputName, type InputRecord, inputs } from '../settings/settings.ts';
import { tools } from '../tools/index.ts';

const text = z.string();

const contextTexts = () => z.array(z.strictObject({ label: text, author: text, text }));

const headerSchema = once(() =>
  z.strictObject({
    format: z.literal('1'),
    run: text,
    prompt: text,
    context: contextTexts(),
    background: contextTexts().optional(),
    askedBy: text,
    inputs: z.record(text, text),
  }),
);

const turnSchema = once(() =>
  z.strictObject({
    text,
    reasoning: text.optional(),
    calls: z.array(z.strictObject({ id: text, name: text, argumentsText: text })),
    usage: z.strictObject({
      inputTokens: z.number(),
      cachedTokens: z.number().exactOptional(),
      cacheWriteTokens: z.number().exactOptional(),
      outputTokens: z.number(),
    }),
    model: text.optional(),
    finishReason: z.enum(['stop', 'tool_calls', 'length', 'content_filter', 'unknown']),
  }),
);

/** First line of a record: the task, and the inputs that are not secret. */
export function renderHeader(run: string, task: Task, given: InputRecord): string {
  const open = Object.entries(given).filter(
    ([name, value]) => value !== '' && inputs[name as InputName]?.secret !== true,
  );
  const { prompt, context, background, askedBy } = task;
  return `${JSON.stringify({ format: '1', run, prompt, context, background, askedBy, inputs: Object.fromEntries(open) })}\n`;
}

/** A model whose replies are recorded, one line each. */
export function recordedModel(model: Model, keep: (line: string) => void): Model {
  return {
    name: model.name,
    complete: async (request, signal) => {
      const turn = await model.complete(request, signal);
      const { opaque: _opaque, ...kept } = turn; // of use to the endpoint alone
      keep(`${JSON.stringify(kept)}\n`);
      return turn;
    },
  };
}

/** A parsed record. */
export interface RunRecord {
  readonly run: string;
  /** The task, as a local one. */
  readonly task: Task;
  readonly inputs: InputRecord;
  readonly turns: readonly Turn[];
}

/** Parses a record, which is a foreign file. @throws PhotonError `RECORD_INVALID` with the line. */
export function parseRecord(file: string): RunRecord {
  const [first = '', ...rest] = file.split('\n').filter(l => l !== '');
  const header = parseLine(headerSchema(), first, 1);
  const turns = rest.map((line, i) => parseLine(turnSchema(), line, i + 2));
  const task: Task = {
    id: 'replay',
    trigger: 'local',
    repository: '',
    baseRef: '',
    hiddenRemoved: 0,
    prompt: header.prompt,
    context: header.context,
    background: header.background,
    askedBy: header.askedBy,
  };
  return { run: header.run, task, inputs: header.inputs as InputRecord, turns };
}

/** Inputs that a replay takes from a record. None of them touches the sandbox, an address or a file of the machine. */
const replayed = [
  ...(['config', 'agent-profile', 'model', 'test-command', 'setup-command', 'verify'] as const),
  ...(['max-rounds', 'max-tokens', 'max-cost', 'timeout-minutes', 'memory'] as const),
] as const;

/** A record may come from anyone, so its commands always run under every guarantee. */
export const replayWalls = {
  sandbox: 'required',
  network: 'none',
  'sandbox-env': 'none',
  'sandbox-processes': '4096',
  record: 'false',
} as const satisfies InputRecord;

/** The inputs of a replay. */
export function replayInputs({ inputs: recorded }: RunRecord): InputRecord {
  const taken = replayed.flatMap(name =>
    recorded[name] === undefined ? [] : [[name, recorded[name]] as const],
  );
  return { ...Object.fromEntries(taken), ...replayWalls };
}

const parseLine = <T>(schema: z.ZodType<T>, line: string, number: number): T =>
  parseAs(schema, line, { code: 'RECORD_INVALID', name: `line ${number}` });

/** A model that replays the turns of a record and fails after the last one. */
export function replayedModel(turns: readonly Turn[]): Model {
  let next = 0;
  return {
    name: 'replay',
    complete: async () => {
      const turn = turns[next];
      next += 1;
      if (turn === undefined)
        throw new PhotonError('REPLAY_ENDED', `The record holds ${turns.length} replies.`);
      return turn;
    },
  };
}

/** The distinct command lines that a replay of this record would run. */
export function listCommands({ inputs, turns }: RunRecord): readonly string[] {
  const grammar = buildGrammar(tools.map(t => t.definition));
  const listLines = (turn: Turn): readonly string[] => {
    const native = turn.calls.flatMap(readCommandLine);
    const read = decodeReply(turn, grammar);
    if ('turn' in read) return [...native, ...read.turn.calls.flatMap(readCommandLine)];
    // a run offers only some of the tools, so its decoder may accept a reply that this one rejects
    return /<\s*run_command/i.test(turn.text) ? [...native, turn.text] : native;
  };
  const named = [inputs['setup-command'] ?? '', inputs['test-command'] ?? ''];
  const all = [...named, ...turns.flatMap(listLines)].map(l => l.trim());
  return [...new Set(all)].filter(l => l !== '');
}

/** The command line of a call; none for another tool or for invalid arguments. */
function readCommandLine({ name, argumentsText }: Turn['calls'][number]): readonly string[] {
  if (name !== 'run_command') return [];
  const { command } = asObject(parseJson(argumentsText));
  return typeof command === 'string' ? [command] : [];
}

/** The first difference in a decision or a change between a recorded run and its replay. */
export interface RunDifference {
  /** Number of the call, from 1; 0 for the inputs of the run. */
  readonly call: number;
  readonly what: string;
  readonly recorded: string;
  readonly replayed: string;
}

type Facts = Readonly<Record<string, string>>;

/** Times, durations and command output may differ; policy, decisions, patches and the outcome may not. */
export function compareRuns(recorded: string, replayed: string): RunDifference | undefined {
  const [before, after] = [listFacts(recorded), listFacts(replayed)];
  const length = Math.max(before.length, after.length);
  for (let call = 0; call < length; call++) {
    const [a, b] = [before[call] ?? {}, after[call] ?? {}];
    for (const what of new Set([...Object.keys(a), ...Object.keys(b)]))
      if (a[what] !== b[what])
        return { call, what, recorded: a[what] ?? 'nothing', replayed: b[what] ?? 'nothing' };
  }
  return undefined;
}

/** The inputs of the run, then each call, then how it ended. */
function listFacts(ledger: string): readonly Facts[] {
  const lines = ledger.split('\n').filter(l => l !== '');
  const entries = lines.flatMap((line, i) => {
    const entry = readEntry(line, i + 1);
    return 'message' in entry ? [] : [entry];
  });
  const start = entries.find(e => e.tool === 'run.start')?.facts ?? {};
  const end = entries.find(e => e.tool === 'run.end');
  const calls = entries.flatMap((e): Facts[] => {
    if (e.call === undefined) return [];
    const patch = e.call.events.flatMap(v => (v.kind === 'patched' ? [v.patchDigest] : []));
    return [
      {
        tool: e.tool,
        arguments: e.arguments,
        decision: `${describeState(e.decision, e.severity)} ${e.code ?? ''}`.trim(),
        phase: e.phase,
        patch: patch.join(),
      },
    ];
  });
  const ending = { status: String(end?.facts?.status ?? ''), code: String(end?.code ?? '') };
  const { base = '', constitution = '', prompt = '' } = start;
  return [
    { base: String(base), constitution: String(constitution), prompt: String(prompt) },
    ...calls,
    ending,
  ];
}
