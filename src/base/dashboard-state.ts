/** Parses and renders the state of the maintenance tasks, hidden in the body of the dashboard issue. */
import * as z from 'zod';
import { codes } from './codes.ts';
import { type Outcome, statuses } from './outcome.ts';
import { parseJson } from './schema-issue.ts';

/** Hidden comment that marks the dashboard issue. */
export const dashboardMarker = '<!-- photon:dashboard -->';

/** Label by which Photon finds the issue; only people with triage permission can set it. */
export const dashboardLabel = 'photon-dashboard';

const taskName = /^[a-z0-9][a-z0-9-]{0,39}$/;

const lastRunSchema = z.object({
  /** When the run ended, ISO 8601. */
  at: z.iso.datetime(),
  status: z.enum(statuses),
  code: z.string().refine(code => Object.hasOwn(codes, code)),
  pull: z.int().min(1).optional(),
  cost: z.number().min(0).optional(),
  tokens: z.int().min(0),
});

const stateSchema = z.object({
  version: z.literal(1),
  tasks: z.record(z.string().regex(taskName), lastRunSchema),
});

/** The last run of one task. */
export type LastRun = z.infer<typeof lastRunSchema>;

/** The last run of each task, by name. */
export type DashboardState = Readonly<Record<string, LastRun>>;

const hidden = /^<!-- photon:state (.+) -->$/m;

/** The state in the body of an issue; empty when it is missing or damaged. */
export function parseDashboardState(body: string): DashboardState {
  return stateSchema.safeParse(parseJson(hidden.exec(body)?.[1] ?? '')).data?.tasks ?? {};
}

/** The comment with the state; escaped, so that no value can end the comment. */
export function renderDashboardState(tasks: DashboardState): string {
  const text = JSON.stringify({ version: 1, tasks }).replaceAll('--', '-\\u002d');
  return `<!-- photon:state ${text} -->`;
}

/** Names of the tasks whose checkbox is ticked. */
export function tickedTasks(body: string): readonly string[] {
  const boxes = body.matchAll(/^- \[[xX]\] <!-- photon:run=([a-z0-9-]{1,40}) -->/gm);
  return [...new Set([...boxes].map(box => box[1] ?? ''))];
}

/** The parts of an outcome that the state keeps. */
export interface EndOfRun {
  readonly status: Outcome['status'];
  readonly code: string;
  readonly delivered: { readonly pullRequestNumber?: number | undefined };
  readonly usage: Pick<Outcome['usage'], 'inputTokens' | 'outputTokens' | 'cost'>;
}

/** A run of a maintenance task, by the task's name. */
interface NamedRun {
  readonly name: string;
  readonly outcome: EndOfRun;
}

/** True for a run that began; one that was not due, or whose pull request is open, did not. */
function didRun({ code }: EndOfRun): boolean {
  return code !== 'COOL_DOWN' && code !== 'PULL_REQUEST_OPEN';
}

/** The state after these runs ended; other tasks keep theirs. */
export function withRuns(
  state: DashboardState,
  runs: readonly NamedRun[],
  at: string,
): DashboardState {
  const last = runs
    .filter(({ outcome }) => didRun(outcome))
    .map(({ name, outcome }) => [name, makeLastRun(outcome, at)]);
  return { ...state, ...Object.fromEntries(last) };
}

function makeLastRun({ status, code, delivered, usage }: EndOfRun, at: string): LastRun {
  return {
    at,
    status,
    code,
    pull: delivered.pullRequestNumber,
    cost: usage.cost,
    tokens: usage.inputTokens + usage.outputTokens,
  };
}
