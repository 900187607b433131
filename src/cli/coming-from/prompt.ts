/** The prompt of another agent as the task of a run. Pure. */
import { shorten } from './carry-over.ts';
import type { Kind } from './source-agent.ts';

/** Values that no stranger can write. */
const ownValue =
  /^(?:github\.(?:repository|repository_owner|ref|ref_name|sha|run_id|run_number|actor|event_name|workflow|server_url|event\.(?:number|(?:issue|pull_request)\.number|pull_request\.(?:base|head)\.sha|inputs\.[\w-]+))|inputs\.[\w-]+|vars\.[\w-]+)$/;

/** True for an expression of texts, functions and values that no stranger can write. */
function isOwnText(inner: string): boolean {
  const code = inner.replace(/'[^']*'/g, ' ');
  if (/['[\]{}*]/.test(code)) return false;
  const names = code.match(/[A-Za-z_][\w.-]*(?: *\()?/g) ?? [];
  return names.every(n => n.endsWith('(') || /^(?:true|false|null)$/.test(n) || ownValue.test(n));
}

interface Task {
  /** Empty for none. */
  readonly task: string;
  readonly notes: readonly string[];
}

/** Why a workflow of a kind takes no task, for a note about the prompt. */
export const withoutTask: Readonly<Record<Exclude<Kind, 'task'>, string>> = {
  commands: 'the words of a comment are the task. Put standing instructions into AGENTS.md.',
  review:
    'a review has its own instructions. Say in AGENTS.md what it must look at, or comment /photon review WORDS.',
  repair: 'the log of the failed jobs is the task.',
};

const leftOut = '(left out)';

/** What strangers can write does not become words of the team, and the inputs of a caller are not known. */
export function readTask(prompt: string, isCalled: boolean): Task {
  const notes: string[] = [];
  const [first = '', ...rest] = prompt.split('$' + '{{');
  const parts = rest.map(part => {
    const end = part.indexOf('}}');
    const inner = part.slice(0, end === -1 ? undefined : end);
    const isOwn = isOwnText(inner) && !(isCalled && /\binputs\./.test(inner));
    if (end !== -1 && isOwn) return `$\{{${part}`;
    notes.push(
      `prompt: ${shorten(inner)} is left out. Others can write it, or it comes from another part of the workflow.`,
    );
    return `${leftOut}${end === -1 ? '' : part.slice(end + 2)}`;
  });
  const task = [first, ...parts].join('');
  if (notes.length > 0 && !/[\p{L}\p{N}$]/u.test(task.replaceAll(leftOut, ''))) {
    notes.push('prompt: nothing is left of it, so there is no task. Write one into task.');
    return { task: '', notes };
  }
  if (/^\/[\w-]/.test(task))
    notes.push(`prompt: ${shorten(task)} is a command of the other agent. Write what it does.`);
  return { task, notes };
}
