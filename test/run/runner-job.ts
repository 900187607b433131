/** Jobs as a user has them: the runner starts what `action.yml` names, with all defaults and a whole payload of GitHub. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Outcome } from '../../src/base/outcome.ts';
import { addPull, commentTime, pushHead } from '../doubles/events.ts';
import type { GitFile } from '../doubles/git-store.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { bot, type Person } from '../doubles/github-routes.ts';
import { type ModelDouble, type Script, startModel } from '../doubles/model.ts';
import { Runner, type Step, type StepEnd } from '../doubles/runner.ts';
import { repairScript, sampleFiles, sampleTask, sampleTest } from '../doubles/sample.ts';
import { canary, discard, fingerprint, makeFolder } from '../harness.ts';

export type Fields = Readonly<Record<string, unknown>>;

const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly Fields[];
}[];

/** The person of GitHub's examples, who has write access here. */
export const sender: Person = { login: 'Codertocat', id: 21031067, type: 'User' };

/** The fields laid over an object, level by level. */
function over(base: unknown, fields: Fields): Fields {
  const isObject = (value: unknown): value is Fields =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = Object.entries(fields).map(([key, value]) => [
    key,
    isObject(value) ? over(isObject(base) ? base[key] : {}, value) : value,
  ]);
  return { ...(isObject(base) ? base : {}), ...Object.fromEntries(merged) };
}

/** A whole payload as GitHub sends it, with what it says of this repository and this test. */
export function event(name: string, fields: Fields): Step['event'] {
  const all = examples.find(e => e.name === name)?.examples ?? [];
  const example = all.find(payload => payload.action === fields.action) ?? all[0];
  if (example === undefined) throw new Error(`GitHub gives no example of ${name}`);
  const repository = { full_name: 'octo/sample', name: 'sample', default_branch: 'main' };
  return { name, payload: over(example, { repository, sender, ...fields }) };
}

/** An event of issue 1. */
export const issueEvent = (fields: Fields): Step['event'] =>
  event('issues', { issue: { ...issue, user: sender, updated_at: commentTime }, ...fields });

/** Where an event happens, and what is checked out for it. */
interface Happened {
  readonly event: Step['event'];
  readonly ref?: string;
  readonly sha?: string;
  readonly checkout?: string;
}

interface Job {
  readonly with?: Readonly<Record<string, string>>;
  readonly script?: Script;
  readonly files?: Readonly<Record<string, GitFile | string>>;
  /** Arranges GitHub, and returns what happens there. */
  readonly on: (github: GitHubDouble) => Happened;
  /**
   * True: Photon waits between its changes of GitHub, and finds the test command, as it does for a user. The others need
   * not be played so slowly: npm takes longer to start than all that a run does itself.
   */
  readonly unhurried?: boolean;
}

interface Ended extends StepEnd {
  readonly outcome: Outcome;
  readonly github: GitHubDouble;
  readonly model: ModelDouble;
}

let folder: string;
let jobs: number;
/** GitHub as the test that plays has it. */
export let github: GitHubDouble;

/** A folder and a GitHub for each test of the file. */
export function useRunner(): void {
  beforeEach(() => {
    folder = makeFolder();
    jobs = 0;
  });
  afterEach(async () => {
    await github.close();
    discard(folder);
  });
}

/** Settings of the repository, with the test command of the sample. */
export const configOf = (more: object) =>
  JSON.stringify({ verify: { command: sampleTest }, ...more });

async function open(files: Job['files'] = {}): Promise<void> {
  github = await startGitHub({ seed: { ...sampleFiles, ...files } });
  github.state.permissions.set(sender.login, 'write');
  github.state.issues.set(1, { labels: [] });
}

/** Plays a job on the open GitHub, and checks what holds of every one. */
export async function play(job: Job, model: ModelDouble): Promise<Ended> {
  const happened = job.on(github);
  const runner = new Runner(join(folder, `job-${jobs++}`));
  github.clone(runner.workspace, happened.checkout ?? 'main');
  const before = fingerprint(runner.workspace);
  try {
    const end = await runner.run({
      github,
      with: job.with ?? { 'api-key': canary, 'base-url': model.url, model: 'double' },
      event: happened.event,
      ref: happened.ref ?? 'refs/heads/main',
      sha: happened.sha ?? github.store.commitOf('main') ?? '',
      actor: sender.login,
      env: job.unhurried ? {} : { PHOTON_MUTATION_SPACING_MS: '0' },
    });
    expect(fingerprint(runner.workspace), 'the checkout is untouched').toBe(before);
    expect(github.violations).toEqual([]);
    expect(model.violations).toEqual([]);
    expect(end.undeclared).toEqual([]);
    const shown = [end.log.replace(/^::add-mask::.*$/gm, ''), end.summary].join('\n');
    for (const secret of [canary, github.token]) expect(shown).not.toContain(secret);
    const masked = [...end.log.matchAll(/^::add-mask::(.*)$/gm)].map(([, text]) => text);
    const secrets: unknown[] = [canary, github.token];
    expect(
      masked.filter(text => !secrets.includes(text)),
      'only keys are masked',
    ).toEqual([]);
    const path = end.outputs['outcome-path'];
    const outcome = JSON.parse(path ? readFileSync(path, 'utf8') : '{}') as Outcome;
    expect(end.exitCode, end.log).toBe(end.outputs.status === 'failed' ? 1 : 0);
    return { ...end, outcome, github, model };
  } finally {
    await model.close();
  }
}

/** One job on a new GitHub, with a model that plays the script, and what a user has to say of it. */
export async function playOne(
  job: Job,
  also: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const isTested = job.unhurried || job.files?.['package.json'] !== undefined;
  await open(isTested ? job.files : { '.photon/config.json': configOf({}), ...job.files });
  const model = await startModel(job.script ?? repairScript);
  const given = { 'api-key': canary, 'base-url': model.url, model: 'double', ...also };
  return play({ with: given, ...job }, model);
}

/** Pull request 2 of the examples' author, pushed before every comment. */
export function openPull(
  of: GitHubDouble,
  files: Record<string, string> = { 'NOTES.md': 'work\n' },
) {
  const at = '2026-02-01T11:00:00Z';
  const sha = pushHead(of, files, at);
  addPull(of.state, { number: 2, user: sender });
  const base = of.store.commitOf('main') ?? '';
  const tree = of.store.git(['rev-parse', `${sha}^{tree}`]);
  const pull = {
    number: 2,
    title: 'Work',
    body: '',
    updated_at: commentTime,
    head: { ref: 'feature', sha },
    base: { ref: 'main', sha: base },
  };
  // GitHub runs a workflow of pull_request events on a merge commit of its own
  const merge = of.store.commit(tree, [base, sha], 'Merge');
  return { pull, sha, at: { ref: 'refs/pull/2/merge', sha: merge, checkout: 'feature' } };
}

export const comment = (body: string) => ({ id: 900, body, created_at: commentTime });
export const issue = { number: 1, title: 'Discount', body: sampleTask };
export const pulls = () => [...github.state.pulls.values()].filter(({ user }) => user === bot);
export const answers = () => [...github.state.comments.values()].filter(({ user }) => user === bot);
const fileOn = (branch: string | undefined) => github.store.git(['show', `${branch}:src/price.js`]);
export const committed = { status: 'committed', code: 'COMMITTED' };

/** One pull request onto the branch, with the repair on its head. */
export function expectPull({ outputs, log }: Ended, { base = 'main', draft = false } = {}): void {
  expect(outputs, log).toMatchObject(committed);
  expect(pulls()).toMatchObject([{ state: 'open', draft, base, head: outputs.branch }]);
  expect(fileOn(outputs.branch)).toContain('discountPercent / 100');
  expect(outputs['pull-request-number']).toBe(String(pulls()[0]?.number));
  expect(outputs.message).not.toBe('');
}
