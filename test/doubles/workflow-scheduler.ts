/** GitHub's scheduler as far as concurrency goes: which runs of a workflow wait, are cancelled, and do their work. */
import { parse } from 'yaml';
import { evaluate } from './workflow-expression.ts';

interface Concurrency {
  readonly group: string;
  readonly 'cancel-in-progress'?: boolean | string;
  readonly queue?: string;
}

interface Job {
  readonly if?: string;
  readonly needs?: unknown;
  readonly concurrency?: Concurrency | string;
}

interface Workflow {
  readonly on: unknown;
  readonly concurrency?: Concurrency | string;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** What the expressions of a workflow see. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The most that wait in a group with `queue: max`. */
const maxQueue = 100;

/** A workflow's first job, and the events that start it. */
export function readWorkflow(text: string) {
  const workflow = parse(text) as Workflow;
  const { on } = workflow;
  const events = typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys(on ?? {});
  const [job = {}] = Object.values(workflow.jobs).filter(j => j.needs === undefined);
  return { workflow, job, events: events as readonly string[] };
}

const asGroup = (given: Concurrency | string): Concurrency =>
  typeof given === 'string' ? { group: given } : given;

const filled = (text: string, contexts: Contexts) =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(evaluate(expression, contexts) ?? ''));

/**
 * Starts a run for each event, one after the other, while none of them ends. A run takes its place in the group of the
 * workflow before its jobs are looked at, and in the group of the job only after `if:` let it pass.
 * @returns the events whose run was cancelled, as indexes.
 */
export function lostRuns(text: string, events: readonly Contexts[]): readonly number[] {
  const { workflow, job } = readWorkflow(text);
  const running = new Map<string, number>();
  const waiting = new Map<string, number[]>();
  const lost: number[] = [];
  /** True if the run goes on at once. */
  const enter = (run: number, given: Concurrency | string | undefined, contexts: Contexts) => {
    if (given === undefined) return true;
    const concurrency = asGroup(given);
    const group = filled(concurrency.group, contexts).toLowerCase();
    const current = running.get(group);
    if (current === undefined || current === run) {
      running.set(group, run);
      return true;
    }
    if (String(concurrency['cancel-in-progress'] ?? false) === 'true') {
      lost.push(current);
      running.set(group, run);
      return true;
    }
    const line = waiting.get(group) ?? [];
    const room = concurrency.queue === 'max' ? maxQueue : 1;
    if (line.length >= room) lost.push(room === 1 ? (line.shift() ?? run) : run);
    waiting.set(group, [...line, run]);
    return false;
  };
  for (const [run, contexts] of events.entries()) {
    if (!enter(run, workflow.concurrency, contexts)) continue;
    if (job.if === undefined || evaluate(job.if, contexts)) enter(run, job.concurrency, contexts);
  }
  return lost;
}
