/** Resolves an event to tasks without a run: real client, real settings, GitHub double. */
import { loadTaskTexts } from '../../src/agent/context/policy.ts';
import { openGitHub } from '../../src/hosts/github/api/client.ts';
import { parseEvent } from '../../src/hosts/github/parse/event.ts';
import { resolveTasks } from '../../src/hosts/github/triggers/resolve-tasks.ts';
import type { TaskPlan } from '../../src/hosts/host.ts';
import { type Config, type InputRecord, parseSettings } from '../../src/settings/settings.ts';
import type { Git } from '../../src/workspace/git/git.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../root.ts';
import type { GitHubDouble } from './github.ts';

export interface EventInput {
  readonly event: { readonly name: string; readonly payload: object };
  readonly inputs?: InputRecord;
  readonly config?: Config;
  readonly baseCommit?: string;
  /** Id of the workflow run. */
  readonly run?: string;
  readonly workspace?: string;
  /** The checkout, for what merges. */
  readonly git?: Git;
}

export interface Resolved {
  readonly planned: readonly TaskPlan[];
  readonly log: readonly string[];
  /** Why the event was declined before any request; empty when it was not. */
  readonly declined: string;
}

/** Resolves an event as a run would, and stops before the run. */
export async function resolveEvent(
  github: GitHubDouble,
  { event, inputs = {}, config = {}, baseCommit, run, workspace = '/nowhere', git }: EventInput,
): Promise<Resolved> {
  const log: string[] = [];
  const request = parseEvent({ ...inputs, ...event, taskInput: inputs.task ?? '' });
  if (request.kind === 'declined') return { planned: [], log, declined: request.reason };
  const client = await openGitHub({
    repository: github.repository,
    apiUrl: github.url,
    token: github.token,
    log: (line: string) => log.push(line),
    now: Date.now,
    deadline: Date.now() + 60_000,
    mutationSpacingMs: 0,
    signal: new AbortController().signal,
  });
  const given = {
    'api-key': 'a-key-of-the-model',
    'base-url': 'http://127.0.0.1:9/v1',
    model: 'double',
    ...inputs,
  };
  const env = run === undefined ? {} : { GITHUB_RUN_ID: run };
  const planned = await resolveTasks({
    request,
    repository: github.repository,
    baseRef: 'main',
    askedBy: 'maintainer',
    settings: parseSettings(given, config),
    taskTexts: loadTaskTexts(openShipped(root)),
    input: { event: { ...event, taskInput: inputs.task ?? '' }, workspace, env },
    baseCommit: baseCommit ?? github.store.git(['rev-parse', 'refs/heads/main']),
    github: client,
    log: line => log.push(line),
    scrub: text => text,
    now: Date.now,
    row: undefined,
    memory: async () => undefined,
    // a conflict in every merge: most tests have no git
    git: git ?? {
      listTreeEntries: async () => new Map(),
      mergeText: async () => undefined,
      withholds: () => false,
      markConflicts: async () => undefined,
      fullTree: github.store.git(['rev-parse', 'main^{tree}']),
      writeFullTree: () => Promise.reject(new Error('this test has no git')),
      rebased: () => Promise.reject(new Error('this test has no git')),
    },
  });
  return { planned, log, declined: '' };
}
