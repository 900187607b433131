/** The steps of a scripted conversation: calls as the model makes them, and the turns that hold them. */
import type { ScriptedCall, ScriptedTurn } from './model.ts';

type Turn = ScriptedTurn & { readonly calls: readonly ScriptedCall[] };

export const call = (name: string, args: object | string = {}): ScriptedCall => ({
  name,
  arguments: args,
});

/** A turn with its text and its calls. */
export const turnOf = (text: string, ...calls: readonly ScriptedCall[]): Turn => ({ text, calls });

/** A turn whose text is that of any step. */
export const say = (...calls: readonly ScriptedCall[]): Turn =>
  turnOf('This is the next step. It gives what the one after it needs.', ...calls);

/** A turn of one call. */
export const turn = (name: string, args: object | string = {}): Turn => say(call(name, args));

export const command = (line: string): ScriptedCall => call('run_command', { command: line });

export const activate = (skill: string): ScriptedCall =>
  call('skill_activate', { skill_name: skill });

/** A plan for these files. */
export const planOf = (files: readonly string[], lines = 20, symbol = 'orderTotal'): ScriptedCall =>
  call('plan', {
    entry_symbols: [symbol],
    affected_files: files,
    scope: 'what the task asks for',
    max_changed_lines: lines,
  });

/** Reads a file, or these lines of it. */
export const readLines = (path: string, from?: number, to?: number): ScriptedCall =>
  call('read_code_block', { requests: [{ file_path: path, start_line: from, end_line: to }] });

/** Puts a text in the place of a line, or of the lines up to `end`. */
export const replaceLine = (
  path: string,
  line: number,
  content: string,
  end = line,
): ScriptedCall =>
  call('apply_patch', {
    files: [{ path, edits: [{ start_line: line, end_line: end, content }] }],
  });

export const giveUp = turnOf(
  'What is to be seen was seen by now. The run can end here.',
  call('abstain', { reason: 'the scenario is over' }),
);
