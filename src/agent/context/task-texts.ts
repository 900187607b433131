/** The texts that a trigger adds to a task, from `prompts/tasks.json`. */
import { fillPlaces, type PromptFile, parseTemplates } from './prompt-file.ts';

/** Every text that a trigger adds to a task, and the places that each may name. */
const taskTextFields = {
  command: [],
  issue: [],
  failed_workflow: [],
  merge_conflict: [],
  conflict_label: [],
  answer: ['by', 'text'],
  added: ['by', 'text'],
  review: [],
  diff_label: [],
  result_label: [],
  issue_label: [],
  pull_request_label: [],
  question_label: [],
  location_label: [],
  location_file: ['path'],
  location_line: ['path', 'line'],
  location_lines: ['path', 'start', 'end'],
  log_label: [],
  log: ['job', 'text'],
  log_errors: ['text'],
  log_end: ['text'],
  earlier_patch_label: [],
  earlier_run_label: [],
  failing_label: [],
  update_pull: [],
  updates_label: [],
  update: ['name', 'from', 'to', 'ecosystem'],
  alert: [],
  alert_label: [],
  alert_finding: ['rule', 'level', 'place', 'message'],
  alert_help_label: [],
  comment_label: ['time'],
  review_label: ['time', 'verdict'],
  by_author: ['login'],
  by_stranger: ['login'],
  commits_label: [],
  commit: ['sha', 'author', 'title'],
  diff_more: ['paths'],
  diff_changed: ['status', 'path', 'added', 'deleted'],
  diff_no_text: [],
  thread_label: ['time'],
  own_thread_label: ['time'],
  thread: ['place', 'text'],
  check_label: [],
  check: ['name', 'text'],
} as const satisfies Record<string, readonly string[]>;

/** A text by its name. */
export type TaskTexts = <N extends keyof typeof taskTextFields>(
  name: N,
  values: Readonly<Record<(typeof taskTextFields)[N][number], string | number>>,
) => string;

/** Reads `prompts/tasks.json`. @throws PhotonError `PROMPT_INVALID`. */
export function parseTaskTexts(file: PromptFile): TaskTexts {
  const texts = parseTemplates(taskTextFields, file);
  return (name, values) => fillPlaces(texts[name], values);
}
