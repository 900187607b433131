/** One process plays several runs, and each has its own sandbox: whatever starts them, all of them end with a proven patch. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/outcome.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { type Body, type ModelDouble, type ScriptedTurn, startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { pathWithout } from '../doubles/search-path.ts';
import { type ActionOptions, discard, makeFolder, runActionIn } from '../harness.ts';
import { has, needs } from '../programs.ts';

let folder: string;
let github: GitHubDouble | null = null;
let model: ModelDouble | null = null;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await Promise.all([github?.close(), model?.close()]);
  github = null;
  model = null;
  discard(folder);
});

const launchers = ['bubblewrap', 'namespaces'] as const;
type Launcher = (typeof launchers)[number];

/** A PATH on which this launcher is the best one. */
const pathOf = (launcher: Launcher) =>
  launcher === 'namespaces' ? pathWithout(folder, 'bwrap') : (process.env.PATH ?? '');

/** Every conversation goes through these turns, however many there are. */
const turnsOf = (script: readonly ScriptedTurn[]) => (body: Body) =>
  script[body.messages.filter(m => m.role === 'assistant').length] ?? { status: 500 };

type Files = Readonly<Record<string, string>>;

/** A repository with these files besides the sample's, its clone, and a model. */
async function prepare(files: Files, script: readonly ScriptedTurn[] = repairScript) {
  github = await startGitHub({ seed: { ...sampleFiles, ...files } });
  model = await startModel(turnsOf(script));
  const workspace = join(folder, 'checkout');
  github.clone(workspace);
  return { github, modelUrl: model.url, workspace };
}

/** Runs the Action under a launcher, and reads the outcome of each of its runs, in the order of their beginning. */
async function act(launcher: Launcher, options: ActionOptions): Promise<readonly Outcome[]> {
  const run = await runActionIn(folder, {
    ...options,
    env: { PATH: pathOf(launcher), ...options.env },
    inputs: { sandbox: 'required', ...options.inputs },
  });
  expect(options.github.violations).toEqual([]);
  const outcomes = outcomesBelow(join(folder, 'runner'));
  expect(outcomes.length, run.log).toBeGreaterThan(0);
  return outcomes;
}

function outcomesBelow(runner: string): readonly Outcome[] {
  const files = readdirSync(runner).map(name => join(runner, name, 'outcome.json'));
  return files
    .filter(file => existsSync(file))
    .map(file => JSON.parse(readFileSync(file, 'utf8')) as Outcome)
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt));
}

/** What a run says of its end, its proof and its sandbox. */
const endOf = ({ code, message, verification, sandbox, delivered }: Outcome) => ({
  code,
  message: code === 'COMMITTED' ? '' : message,
  isProven: verification?.passed ?? false,
  launcher: sandbox.launcher,
  lacks: sandbox.guarantees.filter(g => !g.holds).map(g => g.name),
  branch: delivered.branch,
});

const proven = (launcher: Launcher, branch: string) => ({
  code: 'COMMITTED',
  message: '',
  isProven: true,
  launcher,
  lacks: [],
  branch,
});

const config = (value: object): Files => ({ '.photon/config.json': JSON.stringify(value) });

describe.each(launchers)('under %s', launcher => {
  const isThere = launcher === 'namespaces' || has('bwrap');
  const title = (text: string) => (isThere ? text : `${text} ${needs('bwrap')}`);

  it.runIf(isThere)(
    title('two maintenance tasks of a schedule end with a pull request each'),
    async () => {
      const maintenance = ['one', 'two'].map(name => ({ name, prompt: sampleTask }));
      const place = await prepare(config({ maintenance, dashboard: false }));
      const event = { name: 'schedule', payload: {} };
      const outcomes = await act(launcher, { ...place, event });
      expect(outcomes.map(endOf)).toEqual([
        proven(launcher, 'photon/one'),
        proven(launcher, 'photon/two'),
      ]);
      expect([...place.github.state.pulls.values()].map(p => p.head).sort()).toEqual([
        'photon/one',
        'photon/two',
      ]);
    },
  );
});
