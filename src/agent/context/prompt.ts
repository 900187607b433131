/** The prompt besides the conversation: segments, task and skills, in the profile's texts. */
import type { Phase } from '../../base/outcome.ts';
import type { ContextText, Task } from '../../base/task.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { States } from '../../memory/states.ts';
import { stateOfPhase } from '../limits/phases.ts';
import { fill, type Profile, type Templates } from './profile.ts';

/** The segments whose condition holds, in the order of the file; `default` always does. */
export function composeSegments(profile: Profile, states: ReadonlySet<string>): string {
  return profile.segments
    .filter(s => s.condition === 'default' || states.has(s.condition))
    .map(s => s.prompt)
    .join('\n\n');
}

/**
 * Every state that is on: the phase's, those that the agent added, and `paging` while the memory is nearly
 * full; without those that the agent deleted in this phase.
 */
export function statesOn(
  phase: Phase,
  states: Pick<States, 'added' | 'deleted'>,
  nearlyFull: boolean,
): ReadonlySet<string> {
  const paging = nearlyFull ? 'paging' : undefined;
  const on = [stateOfPhase[phase], ...states.added(), paging].filter(each => each !== undefined);
  return new Set<string>(on).difference(new Set(states.deleted()));
}

/** The templates that say what a run ends with in place of a patch. */
export type TaskTemplate = 'plan_only' | 'answer_only' | 'review_only' | 'look_only';

/** The task for the model. Foreign text is enclosed in marks that it cannot close. */
export function renderTask(
  task: Task,
  about: {
    readonly mark: string;
    readonly map: string;
    /** The command that verifies a patch; undefined if nothing does. */
    readonly testCommand?: string | undefined;
    /** Notes of earlier runs. */
    readonly advice: string;
    readonly templates: Templates;
    /** Most bytes of the background. */
    readonly maxBackground: number;
    /** Says what a run ends with that delivers no patch. */
    readonly instructions?: TaskTemplate | undefined;
    /** JSON Schema of the object that the workflow asks for; empty if it asks for none. */
    readonly reportSchema: string;
  },
): string {
  const { mark, map, advice, templates, maxBackground, reportSchema: schema } = about;
  const { testCommand: command } = about;
  const data = (text: string) => fill(templates, 'data', { mark, text });
  const nobody = fill(templates, 'nobody', {});
  const values = { asked_by: task.askedBy || nobody, text: data(task.prompt) };
  const parts = [fill(templates, 'task', values), ...modeParts(task, about)];
  for (const { label, author, text } of [...task.context, ...backgroundWithin(task, maxBackground)])
    parts.push(fill(templates, 'context', { label, author, text: data(text) }));
  if (command !== undefined) parts.push(fill(templates, 'test_command', { command }));
  if (schema !== '') parts.push(fill(templates, 'review_report', { schema }));
  if (map !== '') parts.push(fill(templates, 'map', { text: data(map) }));
  if (advice !== '') parts.push(fill(templates, 'advice', { text: data(advice) }));
  return parts.join('\n');
}

/** The texts of the background that fit together, in their order. The last ones matter most. */
function backgroundWithin({ background = [] }: Task, maxBytes: number): readonly ContextText[] {
  let left = maxBytes;
  const fits = background.map(() => false);
  for (const [i, { text, label }] of [...background.entries()].reverse()) {
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(label) + 100;
    fits[i] = bytes <= left;
    if (fits[i]) left -= bytes;
  }
  return background.filter((_, i) => fits[i]);
}

/** The text for a run that changes nothing, or carries out an approved plan. */
function modeParts(
  { approved }: Task,
  {
    instructions,
    templates,
  }: { readonly instructions?: TaskTemplate | undefined; readonly templates: Templates },
): readonly string[] {
  if (approved === undefined)
    return instructions === undefined ? [] : [fill(templates, instructions, {})];
  const { entrySymbols, affectedFiles, scope, maxChangedLines } = approved.plan;
  const plan = JSON.stringify({
    entry_symbols: entrySymbols,
    affected_files: affectedFiles,
    scope,
    max_changed_lines: maxChangedLines,
  });
  return [fill(templates, 'approved_plan', { plan })];
}

/** Maximum files that do not exist and that a task can name. */
export const maxNewPaths = 100;

/**
 * The paths that the task itself names: files that exist, and files to create. They count as evidence of navigation.
 */
export function namedPaths(
  task: Pick<Task, 'prompt' | 'context'>,
  paths: readonly string[],
): readonly string[] {
  const words = new Set(
    [task.prompt, ...task.context.map(c => c.text)]
      .join('\n')
      .split(/[\s"'`()<>[\]{},;]+/)
      .flatMap(spellings),
  );
  const existing = paths.filter(p => words.has(p));
  const known = new Set(paths);
  const isNew = (word: string) => !known.has(word) && looksLikeFile(word);
  return [...existing, ...[...words].filter(isNew).slice(0, maxNewPaths)];
}

/** True for a path with an extension that begins with a letter, such as `docs/new/guide.md`. */
function looksLikeFile(word: string): boolean {
  return /\.[a-z]\w{0,15}$/i.test(word) && normalisePath(word) === word;
}

/** `src/a.ts:12:3` and `./src/a.ts.` both name `src/a.ts`. */
function spellings(word: string): readonly string[] {
  const plain = word.replace(/^\.\//, '');
  return [plain, plain.replace(/(:\d+)+:?$/, ''), plain.replace(/(?<![.:!?])[.:!?]+$/, '')];
}
