/** The embedded engine as a model: a conversation whose turns come from generate-and-validate repair. */

import type { Message, Model, ModelRequest, ToolCall, Turn } from '../model/turn.ts';
import type { Repair } from '../outcome.ts';
import {
  describeRepair,
  noSearch,
  sayFound,
  sayNoEdits,
  sayNothingFound,
  sayOtherTask,
  sayPlan,
  sumUp,
  whatItDoes,
} from './account.ts';
import type { Choice } from './choose.ts';
import { failingTestsOf } from './failing-tests.ts';
import { type Diagnosis, diagnose, findRepairs, type RepairResult } from './investigate.ts';
import { languageOf } from './languages.ts';
import { type LineReplacement, lineEditOf } from './line-edits.ts';
import { matchTask, type TaskText } from './match-task.ts';
import type { RepairContext } from './repair-context.ts';

/** The name that settings, outcome and report know the engine by. */
export const builtinName = 'builtin';

export interface BuiltinOptions {
  /** What is asked for; the engine takes it only when it asks to repair the tests that fail. */
  readonly task: TaskText;
  /** Called once, when the first turn is asked for. */
  readonly context: () => Promise<RepairContext>;
}

export interface BuiltinModel extends Model {
  /** How the repair was found, as far as the engine has come; null before a search. */
  repair(): Repair | null;
}

/** One turn: what is said, what is asked for, and where it goes on with the answers. */
interface Step {
  readonly text: string;
  readonly calls: readonly (readonly [name: string, args: object])[];
  readonly next: (answers: readonly string[]) => Promise<Step>;
}

/** Opens the engine; nothing is run before the first turn. */
export function openBuiltin(options: BuiltinOptions): BuiltinModel {
  let next: ((answers: readonly string[]) => Promise<Step>) | null = null;
  let turns = 0;
  const state: State = { repair: null };
  return {
    name: builtinName,
    repair: () => state.repair,
    complete: async ({ messages }: ModelRequest): Promise<Turn> => {
      next ??= async () => begin(options, state);
      const step = await next(answersIn(messages));
      next = step.next;
      turns += 1;
      return {
        text: step.text,
        calls: step.calls.map((call, i) => asCall(call, `builtin_${turns}_${i + 1}`)),
        usage: { inputTokens: 0, outputTokens: 0 },
        finishReason: 'tool_calls',
      };
    },
  };
}

interface State {
  repair: Repair | null;
}

function asCall([name, args]: Step['calls'][number], id: string): ToolCall {
  return { id, name, argumentsText: JSON.stringify(args) };
}

/** What the tools answered to the last turn, in the order of its calls. */
function answersIn(messages: readonly Message[]): readonly string[] {
  const last = messages.findLastIndex(m => m.role === 'assistant');
  return messages.slice(last + 1).flatMap(m => (m.role === 'tool' ? [m.text] : []));
}

function abstain(text: string): Step {
  const step: Step = {
    text: 'The run ends here with what was learned.',
    calls: [['abstain', { reason: text.slice(0, 1000) }]],
    next: async () => step,
  };
  return step;
}

async function begin({ task, context: openBench }: BuiltinOptions, state: State): Promise<Step> {
  const early = matchTask(task, null);
  if (!early.matches && early.otherWork) return abstain(whatItDoes);
  const context = await openBench();
  const { skill } = context;
  if (skill === null)
    return abstain('No skill of this repository grants edits to the embedded engine.');
  const found = await diagnose(context);
  if ('stop' in found) return abstain(`${found.stop} ${whatItDoes}`);
  const { diagnosis } = found;
  const match = early.matches
    ? early
    : matchTask(task, failingTestsOf(diagnosis.failed, diagnosis.textOf));
  if (!match.matches) {
    diagnosis.adapter.close();
    return abstain(sayOtherTask(diagnosis));
  }
  context.log(`Repair: the task is taken, since ${match.why}.`);
  return plan({ context, diagnosis, state, skill });
}

interface Planned {
  readonly context: RepairContext;
  readonly diagnosis: Diagnosis;
  readonly state: State;
  readonly skill: string;
}

/** Plans the repair, unless there is nothing that could be edited. */
function plan({ context, diagnosis, state, skill }: Planned): Step {
  if (diagnosis.suspects.length === 0) {
    diagnosis.adapter.close();
    return abstain(sayNothingFound(diagnosis, null));
  }
  const paths = [...diagnosis.textOf.keys()];
  if (!paths.some(p => languageOf(p) !== null)) {
    diagnosis.adapter.close();
    state.repair = describeRepair(diagnosis, noSearch, 0);
    return abstain(sayNoEdits(diagnosis));
  }
  return {
    text: sayPlan(diagnosis),
    calls: [
      ['skill_activate', { skill_name: skill }],
      [
        'plan',
        {
          entry_symbols: diagnosis.suspects.slice(0, 5).map(s => `${s.path}:${s.line}`),
          affected_files: paths,
          scope: `Make ${diagnosis.failed.length} failing tests pass by one small edit of the code under test.`,
          max_changed_lines: 60,
        },
      ],
    ],
    next: () => navigate(context, diagnosis, state),
  };
}

/** Lists the folders of the suspicious files, which leads to them. */
async function navigate(context: RepairContext, diagnosis: Diagnosis, state: State): Promise<Step> {
  const paths = [...diagnosis.textOf.keys()];
  const names = paths.map(p => p.split('/').at(-1) ?? p);
  const first = diagnosis.suspects[0];
  const text =
    first === undefined
      ? ''
      : (diagnosis.textOf.get(first.path)?.split('\n')[first.line - 1]?.trim() ?? '');
  const folders = [...new Set(paths.map(p => p.split('/').slice(0, -1).join('/')))];
  return {
    text: `I look for the code that the failing tests ran: ${names.slice(0, 5).join(', ')}.`,
    calls: [
      ...(text.length >= 3 ? [['grep', { pattern: text.slice(0, 200) }] as const] : []),
      ...folders.map(folder => ['list_project_files', folder === '' ? {} : { folder }] as const),
    ],
    next: () => readSuspects(context, diagnosis, state),
  };
}

const maxRead = 60;

/** Reads the lines around the first suspects, then searches. */
async function readSuspects(
  context: RepairContext,
  diagnosis: Diagnosis,
  state: State,
): Promise<Step> {
  const requests = [...diagnosis.textOf].slice(0, 10).map(([path, text]) => {
    const lines = diagnosis.suspects.filter(s => s.path === path).map(s => s.line);
    const start = Math.min(...lines);
    const end = Math.min(Math.max(...lines), start + maxRead - 1, text.split('\n').length);
    return { file_path: path, start_line: start, end_line: end };
  });
  return {
    text: 'I read the suspicious lines before anything is tried.',
    calls: [['read_code_block', { requests }]],
    next: async () => {
      const found = await findRepairs(context, diagnosis, context.deadline);
      diagnosis.adapter.close();
      state.repair = describeRepair(diagnosis, found, 0);
      return attempt({ context, diagnosis, found, state }, 0);
    },
  };
}

interface Attempt {
  readonly context: RepairContext;
  readonly diagnosis: Diagnosis;
  readonly found: RepairResult;
  readonly state: State;
}

/** Puts the repair at this place of the ranking into the session. */
async function attempt(about: Attempt, at: number): Promise<Step> {
  const { diagnosis, found, state } = about;
  const choice = found.choices[at];
  if (choice === undefined) return abstain(sayNothingFound(diagnosis, found));
  state.repair = describeRepair(diagnosis, found, at);
  const text = diagnosis.textOf.get(choice.candidate.path) ?? '';
  const edit = lineEditOf(text, choice.candidate.edits);
  if (edit === null) return attempt(about, at + 1);
  return {
    text: sayFound(diagnosis, found, at),
    calls: [
      [
        'read_code_block',
        {
          requests: [
            {
              file_path: choice.candidate.path,
              start_line: edit.startLine,
              end_line: edit.endLine,
            },
          ],
        },
      ],
      ['apply_patch', { files: [fileEdit(choice, edit)] }],
    ],
    next: answers => prove(about, at, answers),
  };
}

function fileEdit({ candidate }: Choice, { startLine, endLine, content }: LineReplacement) {
  return { path: candidate.path, edits: [{ start_line: startLine, end_line: endLine, content }] };
}

/** Why the run ends, and what the reviewer reads first. */
function reasonOf({ diagnosis, found }: Attempt, at: number) {
  const summary = sumUp(diagnosis, found, at);
  const reason = sayFound(diagnosis, found, at);
  return summary === '' ? { reason } : { reason, summary };
}

/** Verifies what was written; what cannot be written or proved gives way to the next in the ranking. */
async function prove(about: Attempt, at: number, answers: readonly string[]): Promise<Step> {
  const written = answers[1] ?? '';
  if (/^[A-Z_]{5,}: /.test(written)) return attempt(about, at + 1);
  return {
    text: 'The edit stands. The project tests must confirm it on a clean copy.',
    calls: [['verify', {}]],
    next: async ([answer = '']) => {
      if (answer.startsWith('Verification passed'))
        return {
          text: 'The tests pass with the patch, so the run can end here.',
          calls: [['finish', reasonOf(about, at)]],
          next: async () => abstain('The run had already ended.'),
        };
      return {
        text: 'The clean run does not confirm the edit, so it is taken back.',
        calls: [['undo', {}]],
        next: () => attempt(about, at + 1),
      };
    },
  };
}
