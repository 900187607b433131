/** The embedded engine, which implements `Model`: generate-and-validate repair produces its turns. */
import type { Repair } from '../base/outcome.ts';
import type { Message, Model, ModelRequest, ToolCall, Turn } from '../model/turn.ts';
import { findLineEdit, type LineReplacement } from './candidates/edit.ts';
import type { Choice } from './choose.ts';
import { type Diagnosis, diagnose, findRepairs, type RepairResult } from './investigate.ts';
import { collectFailingTests, judgeTask, type TaskText } from './match-task.ts';
import {
  codeStays,
  describeFound,
  describePlan,
  describeRepair,
  explainNothingFound,
  explainOtherTask,
  nothingTried,
  summarise,
  supportedTasks,
} from './messages.ts';
import type { RepairContext } from './runners/runner-context.ts';

export type { TaskText } from './match-task.ts';
/** The name of the engine in settings, outcome and report. */
export type { BaselineEnd, RepairContext, RunnerView } from './runners/runner-context.ts';

/** True if a task asks to repair failing tests in general. */
export const asksForRepair = (task: TaskText): boolean => judgeTask(task) === 'repair';

const builtinName = 'builtin';

interface BuiltinOptions {
  /** The engine accepts only a task that asks to repair failing tests. */
  readonly task: TaskText;
  /** Called once, for the first turn. */
  readonly context: () => Promise<RepairContext>;
}

interface BuiltinModel extends Model {
  /** Facts about the search so far; undefined before it. */
  repair(): Repair | undefined;
}

/** One turn: its text, its tool calls, and the function that makes the next turn from their results. */
interface EngineTurn {
  readonly text: string;
  readonly calls: readonly (readonly [name: string, args: object])[];
  readonly next: (results: readonly string[]) => Promise<EngineTurn>;
}

/** Opens the engine. It runs nothing before the first turn. */
export function openBuiltin(options: BuiltinOptions): BuiltinModel {
  let next: ((results: readonly string[]) => Promise<EngineTurn>) | undefined;
  let turns = 0;
  const state: EngineState = { repair: undefined };
  return {
    name: builtinName,
    repair: () => state.repair,
    complete: async ({ messages }: ModelRequest): Promise<Turn> => {
      next ??= async () => begin(options, state);
      const turn = await next(resultsIn(messages));
      next = turn.next;
      turns += 1;
      return {
        text: turn.text,
        calls: turn.calls.map((call, i) => asCall(call, `builtin_${turns}_${i + 1}`)),
        usage: { inputTokens: 0, outputTokens: 0 },
        finishReason: 'tool_calls',
      };
    },
  };
}

interface EngineState {
  /** Makes the facts about the search when they are asked for; undefined before the diagnosis. */
  repair: Repair | undefined;
}

function asCall([name, args]: EngineTurn['calls'][number], id: string): ToolCall {
  return { id, name, argumentsText: JSON.stringify(args) };
}

/** The tool results of the last turn, in the order of its calls. */
function resultsIn(messages: readonly Message[]): readonly string[] {
  const last = messages.findLastIndex(m => m.role === 'assistant');
  return messages.slice(last + 1).flatMap(m => (m.role === 'tool' ? [m.text] : []));
}

function abstain(text: string): EngineTurn {
  const turn: EngineTurn = {
    text: 'I cannot repair this, so I end the run with my findings.',
    calls: [['abstain', { reason: text.slice(0, 1000) }]],
    next: async () => turn,
  };
  return turn;
}

async function begin(
  { task, context: openContext }: BuiltinOptions,
  state: EngineState,
): Promise<EngineTurn> {
  const early = judgeTask(task);
  if (early === 'keeps-code') return abstain(codeStays);
  if (early === 'other') return abstain(supportedTasks);
  const context = await openContext();
  const { skill } = context;
  if (skill === undefined)
    return abstain(
      'The embedded engine may not edit files: no skill of this repository allows apply_patch.',
    );
  const found = await diagnose(context);
  if ('stop' in found)
    return abstain(found.passes ? `${found.stop} ${supportedTasks}` : found.stop);
  const { diagnosis } = found;
  const known = collectFailingTests(diagnosis.failed, diagnosis.textOf);
  if (early !== 'repair' && judgeTask(task, known) !== 'repair')
    return abstain(explainOtherTask(diagnosis));
  return plan({ context, diagnosis, state }, skill);
}

interface RepairPlan {
  readonly context: RepairContext;
  readonly diagnosis: Diagnosis;
  readonly state: EngineState;
}

/** Plans the repair, unless there is nothing to edit. */
function plan(about: RepairPlan, skill: string): EngineTurn {
  const { diagnosis, state } = about;
  state.repair = describeRepair(diagnosis, nothingTried);
  if (diagnosis.suspects.length === 0) return abstain(explainNothingFound(diagnosis, undefined));
  const paths = [...diagnosis.textOf.keys()];
  return {
    text: describePlan(diagnosis),
    calls: [
      ['skill_activate', { skill_name: skill }],
      [
        'plan',
        {
          entry_symbols: diagnosis.suspects.slice(0, 5).map(s => `${s.path}:${s.line}`),
          affected_files: paths,
          scope: `Make ${diagnosis.failed.length} failing tests pass with one small edit of the code under test.`,
          max_changed_lines: 60,
        },
      ],
    ],
    next: () => navigate(about),
  };
}

/** Lists the folders of the suspicious files, as evidence for the rules. */
async function navigate(about: RepairPlan): Promise<EngineTurn> {
  const { diagnosis } = about;
  const paths = [...diagnosis.textOf.keys()];
  const names = paths.map(p => p.split('/').at(-1) ?? p);
  const first = diagnosis.suspects[0];
  const text =
    first === undefined
      ? ''
      : (diagnosis.textOf.get(first.path)?.split('\n')[first.line - 1]?.trim() ?? '');
  const folders = [...new Set(paths.map(p => p.split('/').slice(0, -1).join('/')))];
  return {
    text: `I look for the code that the failing tests execute: ${names.slice(0, 5).join(', ')}.`,
    calls: [
      text.length < 3 ? undefined : (['grep', { pattern: text.slice(0, 200) }] as const),
      ...folders.map(folder => ['list_project_files', { folder: folder || undefined }] as const),
    ].filter(call => call !== undefined),
    next: () => readSuspects(about),
  };
}

const maxRead = 60;

/** The suspicious lines of each file, within the bounds of one read. */
export function readRequests({ textOf, suspects }: Pick<Diagnosis, 'textOf' | 'suspects'>) {
  return [...textOf]
    .flatMap(([path, text]) => {
      const lines = suspects.filter(s => s.path === path).map(s => s.line);
      if (lines.length === 0) return [];
      const start = Math.min(...lines);
      const end = Math.min(Math.max(...lines), start + maxRead - 1, text.split('\n').length);
      return [{ file_path: path, start_line: start, end_line: Math.max(start, end) }];
    })
    .slice(0, 10);
}

/** Reads the lines around the first suspects, then searches. */
async function readSuspects(about: RepairPlan): Promise<EngineTurn> {
  const { context, diagnosis, state } = about;
  const requests = readRequests(diagnosis);
  return {
    text: 'I read the suspicious lines before I try edits.',
    calls: [['read_code_block', { requests }]],
    next: async () => {
      const found = await findRepairs(context, diagnosis);
      state.repair = describeRepair(diagnosis, found);
      return attempt({ ...about, found });
    },
  };
}

interface RepairAttempt extends RepairPlan {
  readonly found: RepairResult;
}

/** Reads the lines of the repair in a turn of its own: an edit may replace only what an earlier turn showed. */
function attempt(about: RepairAttempt): EngineTurn {
  const { diagnosis, found } = about;
  const [choice, ...others] = found.choices;
  if (choice === undefined || others.length > 0)
    return abstain(explainNothingFound(diagnosis, found));
  const edit = findLineEdit(
    diagnosis.textOf.get(choice.candidate.path) ?? '',
    choice.candidate.edits,
  );
  if (edit === undefined) return abstain(explainNothingFound(diagnosis, found));
  const { startLine, endLine } = edit;
  const lines = { file_path: choice.candidate.path, start_line: startLine, end_line: endLine };
  return {
    text: describeFound(diagnosis, found, choice),
    calls: [['read_code_block', { requests: [lines] }]],
    next: async () => ({
      text: 'I write the edit.',
      calls: [['apply_patch', { files: [fileEdit(choice, edit)] }]],
      next: results => verifyEdit(about, choice, results),
    }),
  };
}

function fileEdit({ candidate }: Choice, { startLine, endLine, content }: LineReplacement) {
  return { path: candidate.path, edits: [{ start_line: startLine, end_line: endLine, content }] };
}

/** Verifies the edit. If it is refused or fails, nothing is delivered. */
async function verifyEdit(
  { diagnosis, found }: RepairAttempt,
  choice: Choice,
  results: readonly string[],
): Promise<EngineTurn> {
  const [written = ''] = results;
  if (/^[A-Z_]{5,}: /.test(written))
    return abstain(`The edit that passes the tests was refused: ${written}`);
  return {
    text: 'The edit is applied. Now the tests must pass on a clean copy.',
    calls: [['verify', {}]],
    next: async ([result = '']) => {
      if (!result.startsWith('Verification passed')) return undoEdit();
      const reason = describeFound(diagnosis, found, choice);
      return {
        text: 'The tests pass with the patch. The task is done.',
        calls: [['finish', { reason, summary: summarise(diagnosis, choice) }]],
        next: async () => abstain('The run has already ended.'),
      };
    },
  };
}

const undoEdit = (): EngineTurn => ({
  text: 'The tests fail on a clean copy, so I undo the edit.',
  calls: [['undo', {}]],
  next: async () => abstain('An edit passed the tests in the search, and fails on a clean copy.'),
});
