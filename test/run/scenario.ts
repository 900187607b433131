import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { auditLedger } from '../../src/audit/audit.ts';
import { listUnbacked } from '../../src/audit/verify-run.ts';
import { digest } from '../../src/base/digest.ts';
import { isDelivered } from '../../src/base/outcome.ts';
import { findCode, hashEntry, type LedgerEntry } from '../../src/ledger/ledger.ts';
import type { Config } from '../../src/settings/settings.ts';
import { renderDiff } from '../../src/workspace/text/diff.ts';
import { withConfig } from '../doubles/config.ts';
import type { GitFile } from '../doubles/git-store.ts';
import { type GitHubDouble, type GitHubOptions, startGitHub } from '../doubles/github.ts';
import type { AppDouble } from '../doubles/github-app.ts';
import { type ModelDouble, type Script, startModel } from '../doubles/model.ts';
import { findProse } from '../doubles/prose.ts';
import { begin, look, repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { policy as shipped } from '../guard/policies.ts';
import {
  type ActionOptions,
  type ActionRun,
  canary,
  discard,
  fingerprint,
  makeFolder,
  runAction,
} from '../harness.ts';

export interface Scenario
  extends Partial<Omit<ActionOptions, 'github' | 'modelUrl' | 'workspace'>> {
  readonly script: Script;
  /** A GitHub App that is installed on the repository. */
  readonly app?: AppDouble;
  readonly files?: Readonly<Record<string, GitFile | string>>;
  /** What the configuration of the repository sets, besides that of every run. */
  readonly config?: Config;
  /** Other repositories that the token reads. */
  readonly others?: GitHubOptions['others'];
  /** Changes the double before the run: permissions, issues, faults. */
  readonly arrange?: (github: GitHubDouble) => void;
  /** Changes the checkout before the run. */
  readonly cloned?: (workspace: string) => void;
  /** Branch that is checked out. */
  readonly checkout?: string;
  readonly task?: string;
  /** True: nothing more may be on the remote than before, whatever the outcome. */
  readonly unpublished?: boolean;
  /** True: the scenario itself moves a ref of the remote. */
  readonly movesBase?: boolean;
  /** True: the patch was applied to a newer base than the one that the session lies over. */
  readonly reapplied?: boolean;
}

type FurtherRun = Partial<Omit<Scenario, 'app' | 'files' | 'config' | 'others' | 'arrange'>>;

export interface Played extends ActionRun {
  readonly github: GitHubDouble;
  readonly model: ModelDouble;
}

/**
 * Plays a scenario and hands the result to `check`, while GitHub still runs. After every run:
 * the checkout is as it was to the byte and the second, every request and answer met its contract,
 * no secret is in any sink, and what was not committed left no trace on the remote.
 */
export async function play(
  scenario: Scenario,
  check: (played: Played) => void | Promise<void>,
): Promise<void> {
  const { files, config, app, others, task = sampleTask } = scenario;
  const seed = withConfig({ ...sampleFiles, ...files }, config);
  const github = await startGitHub({ seed, others, ...(app ? { app } : {}) });
  try {
    scenario.arrange?.(github);
    const before = github.store.refs();
    const run = await playOn(github, { ...scenario, task });
    if (!scenario.movesBase && (!isDelivered(run.outcome.status) || scenario.unpublished))
      expect(withoutPlans(github.store.refs())).toEqual(withoutPlans(before));
    expectSound(run);
    if (!scenario.reapplied) expectWholeSession(run);
    expectNoSecret(run, github);
    expectSameEverywhere(run);
    expectNoProse(run);
    expectNothingUnseen(run, github);
    await check(run);
  } finally {
    await github.close();
  }
}

/** GitHub with the sample, these files and this configuration, until the test has ended. */
export async function openGitHub(files: Scenario['files'], config?: Config): Promise<GitHubDouble> {
  const github = await startGitHub({ seed: withConfig({ ...sampleFiles, ...files }, config) });
  onTestFinished(() => github.close());
  return github;
}

/** One run over a GitHub that stands, on a clone of its own; by an event, or of the sample's task. */
export async function playOn(github: GitHubDouble, run: FurtherRun = {}): Promise<Played> {
  const { script = repairScript, checkout, cloned, ...options } = run;
  const { task = options.event === undefined ? sampleTask : '' } = run;
  const model = await startModel(script);
  const folder = makeFolder();
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace, checkout ?? 'main');
    cloned?.(workspace);
    const before = fingerprint(workspace);
    const inputs = { task, ...options.inputs };
    const ran = await runAction({ ...options, github, modelUrl: model.url, workspace, inputs });
    expect(fingerprint(workspace), 'the checkout is untouched').toBe(before);
    expect(ran.homeUntouched, 'the home folder is untouched').toBe(true);
    expect(github.violations).toEqual([]);
    expect(model.violations).toEqual([]);
    return { ...ran, github, model };
  } finally {
    await model.close();
    discard(folder);
  }
}

/** Refs without the plans that wait for a person: a run that ends with its plan keeps it there. */
function withoutPlans(refs: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(refs).filter(([name]) => !name.startsWith('refs/photon/plans/')),
  );
}

/** All that a run told the model: without a transcript, each request has its own part of it. */
export function toldOf(model: ModelDouble): string {
  return JSON.stringify(model.requests.map(r => r.body.messages));
}

/** The first two turns of a usual run: skill and plan, then search and read. */
export const opening = [begin, look];

/** The model's reasoning is in no output but the log's [Think]; its words for the reader stand under their label. */
function expectNoProse({ github, model, ...run }: Played): void {
  const { comments, pulls, reviews } = github.state;
  const posted = [...comments.values(), ...pulls.values(), ...reviews];
  const sinks = {
    published: {
      ...Object.fromEntries(posted.map(({ body }, i) => [`posted ${i}`, body])),
      titles: [...pulls.values()].map(({ title }) => title).join('\n'),
      summary: run.summary,
    },
    data: { outcome: JSON.stringify(run.outcome), outputs: JSON.stringify(run.outputs) },
    closed: {
      ledger: run.ledgerText,
      patch: run.patch,
      log: run.log
        .split('\n')
        // the runner takes the lines that name what to mask, and shows none of them
        .filter(line => !/^(?:\[Think\]|::add-mask::)/.test(line))
        .join('\n'),
    },
    showsPlan: run.outcome.plan !== undefined,
    changesNothing: run.outcome.code === 'PATCH_EMPTY',
  };
  expect(findProse(model.played, sinks)).toEqual([]);
}

const withoutDiffs = (text: string) => text.replace(/^(`{3,})diff\n[\s\S]*?^\1$/gm, '');

/**
 * A character that nobody sees. A selector of style directly behind its pictograph is seen, in the form of the pictograph,
 * and a file whose name has one (`❤\ufe0f.md`) cannot be found by a name without it.
 */
const unseen =
  /\p{Cf}|(?![\ufe0e\ufe0f])\p{Variation_Selector}|(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f]/u;

/** Nothing that people read and copy holds a character that they cannot see. */
function expectNothingUnseen({ summary, outcome }: ActionRun, { state }: GitHubDouble): void {
  const posted = [...state.comments.values(), ...state.pulls.values()].flatMap(each =>
    each.user?.type === 'Bot' ? [each.body ?? '', 'title' in each ? each.title : ''] : [],
  );
  for (const text of [...posted, ...outcome.notes, outcome.message, withoutDiffs(summary)])
    expect(text).not.toMatch(unseen);
}

/** The status and code are the same in output, outcome, log, summary and exit status. */
function expectSameEverywhere(run: ActionRun): void {
  const { outcome, outputs, log, summary, exitCode } = run;
  expect(outputs.status).toBe(outcome.status);
  expect(outputs.code).toBe(outcome.code);
  expect(log).toContain(outcome.code);
  expect(summary).toContain(`${outcome.status} (\`${outcome.code}\`)`);
  expect(exitCode).toBe(outcome.status === 'failed' || outcome.status === 'rolled_back' ? 1 : 0);
}

/** The ledger is sealed, backs the outcome, and follows the rules. */
export function expectSound(run: ActionRun): void {
  expectSealed(run);
  expectValidTrace(run);
}

/** Every entry is sealed over its predecessor, and the outcome names the head. */
function expectSealed({ ledger, ledgerText, outcome }: ActionRun): void {
  let previous = digest(`photon-ledger:3:${outcome.runId}`);
  for (const [i, { hash, ...body }] of ledger.entries()) {
    expect(body).toMatchObject({ seq: i + 1, previous, run: outcome.runId });
    expect(hashEntry(body as unknown as Parameters<typeof hashEntry>[0])).toBe(hash);
    previous = String(hash);
  }
  expect(outcome.ledger).toEqual({ entries: ledger.length, head: previous });
  expect(listUnbacked(outcome, ledgerText)).toEqual([]);
}

/** The trace is legal: the rules and the table, applied again, lead to the same run. */
function expectValidTrace({ ledgerText, outcome }: ActionRun): void {
  const report = auditLedger(ledgerText, { shipped, complete: true, head: outcome.ledger.head });
  expect(report.finding).toBeUndefined();
}

/** The session's file holds the patch and every call, and no call is missing from either record. */
export function expectWholeSession({ session, ledger, patch, outcome }: ActionRun): void {
  const calls = ledger.filter(e => e.call !== undefined);
  const kept = session?.calls ?? [];
  expect(kept.map(({ caller: _caller, error: _error, ...call }) => call)).toEqual(
    calls.map(({ tool, phase, decision, severity = '', paths, ...entry }) => ({
      tool,
      phase,
      decision,
      severity,
      code: findCode(entry as unknown as LedgerEntry) ?? undefined,
      paths,
    })),
  );
  for (const { caller } of kept) expect(caller).toMatch(`${outcome.runId}/`);
  expect(renderDiff(session?.changes ?? [])).toBe(patch);
}

function expectNoSecret(run: ActionRun, github: GitHubDouble): void {
  // the runner takes these lines in and shows none of them
  const log = run.log.replace(/^::add-mask::.*$/gm, '');
  const posted = JSON.stringify([
    ...github.state.comments.values(),
    ...github.state.pulls.values(),
  ]);
  const sinks = {
    log,
    summary: run.summary,
    outcome: JSON.stringify(run.outcome),
    ledger: JSON.stringify(run.ledger),
    patch: run.patch,
    posted,
  };
  const forms = [
    canary,
    Buffer.from(canary).toString('base64').slice(0, 40),
    Buffer.from(canary).toString('hex'),
    [...canary].reverse().join(''),
  ];
  for (const [sink, text] of Object.entries(sinks)) {
    for (const form of forms) expect(text.includes(form), `${sink} holds no secret`).toBe(false);
  }
}

/** A conversation, with something done to the double as its last reply is asked for. */
export const meanwhile = (
  act: (github: GitHubDouble) => void,
  turns = repairScript,
): Pick<Scenario, 'arrange' | 'script'> => {
  let double: GitHubDouble | undefined;
  return {
    arrange: github => {
      double = github;
    },
    script: (_body, index) => {
      if (index === turns.length - 1 && double !== undefined) act(double);
      return turns[index] ?? { status: 400 };
    },
  };
};
