/** Reads `.photon/workflows/<name>.yml`: several tasks in dependency order, and what each produces. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
} from 'yaml';
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { describeIssue } from '../base/schema-issue.ts';
import { normalisePath } from '../guard/paths.ts';

/** Folder of the workflow files in a repository. */
export const workflowFolder = '.photon/workflows';

/** Names of workflows, which become part of file and branch names. */
export const workflowName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

const maxTasks = 100;
const maxOutputs = 50;

const id = z.string().regex(workflowName, 'use letters, digits, _ and - (at most 63)');
const line = (max: number) => z.string().trim().min(1, 'must not be empty').max(max);

const outputSchema = z.strictObject({
  description: line(200)
    .refine(isPlainText, 'must be text without control characters')
    .describe('Description in the manifest.'),
  path: line(500)
    .refine(isInside, 'must be a path inside the repository, without .. and .git')
    .describe(
      'A file, or a folder when it ends in /. It must exist before the task counts as completed.',
    ),
});

const taskSchema = z.strictObject({
  id: id.describe('Name of the task, unique in the workflow.'),
  prompt: line(20_000).describe('The task, as for photon run.'),
  skills: z
    .array(line(100))
    .max(50)
    .optional()
    .describe('Allowed skills that the task may use. Default: all.'),
  depends_on: z.array(id).max(maxTasks).default([]).describe('Tasks that must be completed first.'),
  outputs: z
    .array(outputSchema)
    .max(maxOutputs)
    .default([])
    .describe('Files that the task produces.'),
  verify: line(2000)
    .optional()
    .describe('Command that verifies the patch, or none. Default: as in the settings.'),
  review: z
    .literal('required')
    .optional()
    .describe('A person must approve the task before dependent tasks start.'),
});

export const workflowSchema = z.strictObject({
  parallel: z
    .int()
    .min(1)
    .max(8)
    .default(1)
    .describe('Maximum number of tasks that run in parallel, each in its own session.'),
  pull_request: z
    .enum(['one', 'per-task'])
    .default('one')
    .describe('On GitHub: one pull request with a commit per task, or one pull request per task.'),
  tasks: z.array(taskSchema).min(1, 'a workflow needs at least one task').max(maxTasks),
});

export interface WorkflowTask {
  readonly id: string;
  readonly prompt: string;
  readonly skills?: readonly string[];
  readonly dependsOn: readonly string[];
  readonly outputs: readonly { readonly description: string; readonly path: string }[];
  /** A command, `none`, or an empty string to use the settings. */
  readonly verify: string;
  readonly review: boolean;
}

export interface Workflow {
  readonly name: string;
  /** Maximum number of tasks that run in parallel. */
  readonly parallel: number;
  readonly pullRequest: 'one' | 'per-task';
  readonly tasks: readonly WorkflowTask[];
}

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Parses a workflow and reports every problem with its line.
 * @param file path, for messages.
 * @throws PhotonError `WORKFLOW_INVALID`.
 */
export function parseWorkflow(
  text: string,
  { name, file }: { name: string; file: string },
): Workflow {
  const fail = (problems: readonly string[]): never => {
    throw new PhotonError('WORKFLOW_INVALID', problems.join('\n'));
  };
  const read = readYaml(text);
  if ('message' in read) return fail([`${file}:${read.line}: ${read.message}`]);
  const at = ({ path, message }: Problem) =>
    `${file}:${read.lineOf(path)}: ${path.length > 0 ? `${formatPath(path)}: ` : ''}${message}`;
  const checked = workflowSchema.safeParse(read.data);
  if (!checked.success)
    return fail(
      checked.error.issues.map(i =>
        at({ path: i.path as Problem['path'], message: describeIssue(i) }),
      ),
    );
  const tasks = checked.data.tasks.map(toTask);
  const problems = [...findRepeated(tasks), ...missing(tasks)];
  if (problems.length > 0) return fail(problems.map(at));
  const ordered = orderTasks(tasks);
  const { parallel, pull_request: pullRequest } = checked.data;
  if ('order' in ordered) return { name, parallel, pullRequest, tasks: ordered.order };
  const first = tasks.findIndex(t => t.id === ordered.cycle[0]);
  const message = `these tasks wait for each other: ${ordered.cycle.join(', ')}`;
  return fail([at({ path: ['tasks', first, 'depends_on'], message })]);
}

/** The data of a YAML file, and the line (1-based) of the value that a path leads to. */
interface YamlFile {
  readonly data: unknown;
  readonly lineOf: (path: Problem['path']) => number;
}

/** Maximum characters of a file: twice what the longest prompts of all tasks take. */
const maxChars = 4_000_000;
/** Maximum comparisons of two keys: the parser compares each key of a map with all others. */
const maxComparisons = 5_000_000;

/** Whether two keys are the same. @throws Error after too many comparisons. */
function keyComparison(): (a: unknown, b: unknown) => boolean {
  let left = maxComparisons;
  return (a, b) => {
    left -= 1;
    if (left < 0) throw new Error('a map of the file has too many keys');
    return a === b || (isScalar(a) && isScalar(b) && a.value === b.value);
  };
}

/** Following more aliases than this could take any amount of memory. */
const maxAliasCount = 100;

function readYaml(text: string): YamlFile | { readonly line: number; readonly message: string } {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => Math.max(lineCounter.linePos(offset).line, 1);
  if (text.length > maxChars)
    return { line: 1, message: `the file has more than ${maxChars} characters` };
  try {
    const uniqueKeys = keyComparison();
    const options = { lineCounter, uniqueKeys, merge: true, prettyErrors: false };
    const document = parseDocument(text, options);
    const [problem] = document.errors;
    if (problem !== undefined) {
      const several = problem.code === 'MULTIPLE_DOCS';
      const message = several ? 'the file must hold one YAML document' : problem.message;
      return { line: lineAt(problem.pos[0]), message };
    }
    const data: unknown = document.toJS({ maxAliasCount }) ?? {};
    return { data, lineOf: path => lineAt(findOffset(document, path)) };
  } catch (error) {
    return { line: 1, message: (error as Error).message };
  }
}

/** Offset of the key or list item that a path leads to, or of the last one on the path that exists. */
function findOffset(document: Document, path: Problem['path']): number {
  let offset = 0;
  let node: unknown = document.contents;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === part)
      : undefined;
    const item = isSeq(node) && typeof part === 'number' ? node.items[part] : undefined;
    const start = pair?.key ?? item;
    if (!isNode(start)) break;
    offset = start.range?.[0] ?? offset;
    node = pair === undefined ? item : pair.value;
  }
  return offset;
}

function toTask(task: z.output<typeof taskSchema>): WorkflowTask {
  return {
    id: task.id,
    prompt: task.prompt,
    skills: task.skills,
    dependsOn: task.depends_on,
    outputs: task.outputs,
    verify: task.verify ?? '',
    review: task.review === 'required',
  };
}

function findRepeated(tasks: readonly WorkflowTask[]): readonly Problem[] {
  const ids = tasks.map((t, i) => ({ key: t.id, path: ['tasks', i, 'id'] }));
  const paths = tasks.flatMap((t, i) =>
    t.outputs.map((o, j) => ({
      key: o.path.replace(/\/$/, ''),
      path: ['tasks', i, 'outputs', j, 'path'],
    })),
  );
  return [ids, paths].flatMap(all =>
    all
      .filter(({ key }, i) => all.findIndex(other => other.key === key) < i)
      .map(({ key, path }) => ({ path, message: `${key} occurs a second time` })),
  );
}

function missing(tasks: readonly WorkflowTask[]): readonly Problem[] {
  const ids = new Set(tasks.map(t => t.id));
  return tasks.flatMap((task, i) =>
    task.dependsOn
      .filter(d => !ids.has(d))
      .map(d => ({ path: ['tasks', i, 'depends_on'], message: `there is no task ${d}` })),
  );
}

function formatPath(path: readonly (string | number)[]): string {
  return path
    .map(p => (typeof p === 'number' ? `[${p}]` : `.${p}`))
    .join('')
    .replace(/^\./, '');
}

/** A NUL or a lone surrogate would make the manifest an invalid text file. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(text);
}

/** True for a normalised path inside the repository; a `/` at the end marks a folder. */
function isInside(path: string): boolean {
  const plain = path.replace(/\/$/, '');
  return plain !== '' && isPlainText(plain) && normalisePath(plain) === plain;
}

interface DependentTask {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/**
 * Puts each task after its dependencies and otherwise keeps the order. Ignores unknown dependencies.
 * @returns `cycle` with the tasks that wait for each other.
 */
export function orderTasks<T extends DependentTask>(
  tasks: readonly T[],
): { readonly order: readonly T[] } | { readonly cycle: readonly string[] } {
  const order: T[] = [];
  let left = tasks;
  while (left.length > 0) {
    const waiting = new Set(left.map(t => t.id));
    const next = left.find(t => !t.dependsOn.some(d => waiting.has(d)));
    if (next === undefined) {
      const isInCycle = (t: T) => {
        const behind = withDependents(left, t.id);
        return t.dependsOn.some(id => behind.has(id));
      };
      return { cycle: left.filter(isInCycle).map(t => t.id) };
    }
    order.push(next);
    left = left.filter(t => t !== next);
  }
  return { order };
}

/** A task and everything that depends on it, directly or indirectly. */
export function withDependents(tasks: readonly DependentTask[], id: string): ReadonlySet<string> {
  const found = new Set([id]);
  let before = 0;
  while (before < found.size) {
    before = found.size;
    for (const task of tasks) if (task.dependsOn.some(d => found.has(d))) found.add(task.id);
  }
  return found;
}
