/** One process plays several runs: whatever starts them, each has a sandbox of its own and ends with a proven patch. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/base/outcome.ts';
import { withConfig } from '../doubles/config.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { type ModelDouble, type Script, type ScriptedTurn, startModel } from '../doubles/model.ts';
import { done, prove, repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { repairedLine, sarifOf, scannedFiles } from '../doubles/scanner.ts';
import { pathWithout } from '../doubles/search-path.ts';
import { activate, call, planOf, readLines, replaceLine, say } from '../doubles/steps.ts';
import {
  barrier,
  roundOf,
  startWriter,
  taskText,
  writingTurns,
} from '../doubles/workflow-model.ts';
import {
  type ActionOptions,
  type ActionRun,
  discard,
  makeFolder,
  runActionIn,
} from '../harness.ts';
import { has, needs } from '../programs.ts';
import { playsVariants } from '../seed.ts';

let folder: string;
let github: GitHubDouble;
const doubles: { close(): Promise<void> }[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await Promise.all(doubles.splice(0).map(double => double.close()));
  discard(folder);
});

type Launcher = 'bubblewrap' | 'namespaces';

/** A PATH on which this launcher is the best one. */
const pathOf = (launcher: Launcher) =>
  launcher === 'namespaces' ? pathWithout(folder, 'bwrap') : (process.env.PATH ?? '');

/** Tests under one launcher; as variants, under the other one, too. */
function under(one: Launcher, name: string, test: (by: Launcher) => Promise<void>) {
  for (const launcher of ['bubblewrap', 'namespaces'] as const) {
    const isThere = launcher !== 'bubblewrap' || has('bwrap');
    const title = `${name}, under ${launcher}`;
    it.runIf(isThere && (launcher === one || playsVariants))(
      isThere ? title : `${title} ${needs('bwrap')}`,
      () => test(launcher),
    );
  }
}

type Files = Parameters<typeof withConfig>[0];

/** A repository with these files, its clone, and a model. */
async function prepare(files: Files, model: ModelDouble) {
  doubles.push(model);
  github = await startGitHub({ seed: withConfig(files) });
  doubles.push(github);
  const workspace = join(folder, 'checkout');
  github.clone(workspace);
  return { github, modelUrl: model.url, workspace };
}

/** Every conversation goes through these turns, however many there are. */
const each =
  (turns: readonly ScriptedTurn[]): Script =>
  body =>
    turns[roundOf(body)] ?? { status: 500 };

/** Runs the Action under a launcher. @returns the outcome of each of its runs, in the order of their beginning, too. */
async function act(
  launcher: Launcher,
  options: ActionOptions,
): Promise<ActionRun & { readonly outcomes: readonly Outcome[] }> {
  const run = await runActionIn(folder, {
    ...options,
    env: { PATH: pathOf(launcher), ...options.env },
    inputs: { sandbox: 'required', ...options.inputs },
  });
  expect(options.github.violations).toEqual([]);
  const runner = join(folder, 'runner');
  const files = readdirSync(runner).map(name => join(runner, name, 'outcome.json'));
  const outcomes = files
    .filter(file => existsSync(file))
    .map(file => JSON.parse(readFileSync(file, 'utf8')) as Outcome)
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  return { ...run, outcomes };
}

/** What a run says of its end, its proof and its sandbox. */
const endOf = ({ code, message, verification, sandbox }: Outcome) => ({
  code,
  why: verification?.passed ? '' : message,
  launcher: sandbox.launcher,
  lacks: sandbox.guarantees.filter(g => !g.holds).map(g => g.name),
});

const proven = (launcher: Launcher, code = 'COMMITTED') => ({ code, why: '', launcher, lacks: [] });

const pullHeads = () => [...github.state.pulls.values()].map(pull => pull.head);

const config = (value: object): Files => ({
  ...sampleFiles,
  '.photon/config.json': JSON.stringify(value),
});
const maintenance = ['one', 'two'].map(name => ({ name, prompt: sampleTask }));

describe('two maintenance tasks', () => {
  under('bubblewrap', 'of a schedule end with a pull request each', async launcher => {
    const model = await startModel(each(repairScript));
    const place = await prepare(config({ maintenance, dashboard: false }), model);
    const event = { name: 'schedule', payload: {} };
    const { outcomes } = await act(launcher, { ...place, event });
    expect(outcomes.map(endOf)).toEqual([proven(launcher), proven(launcher)]);
    expect(pullHeads()).toEqual(['photon/one', 'photon/two']);
  });
});

/** Repairs one line of a file. */
const repairing = (path: string, line: number, content: string): readonly ScriptedTurn[] => [
  say(activate('code-modify'), planOf([path], 4)),
  say(call('grep', { pattern: 'eval' }), readLines(path, line, line)),
  say(replaceLine(path, line, content)),
  prove,
  done,
];

describe.runIf(playsVariants)('two findings of a scanner', () => {
  under(
    'namespaces',
    'end with a pull request each, and each is proved by the scanner',
    async launcher => {
      const price = repairing('src/price.js', 4, repairedLine);
      const old = repairing('src/old.js', 1, 'export const old = () => 1;');
      const model = await startModel(body => {
        const turns = JSON.stringify(body.messages[1]).includes('src/old.js:1') ? old : price;
        return turns[roundOf(body)] ?? { status: 500 };
      });
      const place = await prepare(
        withConfig(scannedFiles(), { limits: { sarifFindings: 2 } }),
        model,
      );
      writeFileSync(
        join(place.workspace, 'scan.sarif'),
        sarifOf({}, { path: 'src/old.js', line: 1 }),
      );
      const inputs = {
        sarif: 'scan.sarif',
        'sarif-command': 'node scan.mjs',
        task: '',
      };
      const event = { name: 'push', payload: {} };
      const { outcomes } = await act(launcher, { ...place, event, inputs });
      expect(outcomes.map(endOf)).toEqual([proven(launcher), proven(launcher)]);
      expect(outcomes.map(o => [o.verification?.alert?.path, o.verification?.alert?.gone])).toEqual(
        [
          ['src/old.js', true],
          ['src/price.js', true],
        ],
      );
      expect(new Set(pullHeads()).size).toBe(2);
    },
  );
});

describe('two tasks of a workflow', () => {
  for (const [how, parallel, needs] of [
    ['side by side', 2, ''],
    ...(playsVariants ? [['one after the other', 1, 'one'] as const] : []),
  ] as const) {
    under('namespaces', `${how} are proved, and become one pull request`, async launcher => {
      const taskOf = (id: string, before: string) =>
        taskText(id, before).replace('verify: none', `verify: test -f docs/${id}.md`);
      const tasks = `${taskOf('one', '')}${taskOf('two', needs)}`;
      const files = {
        ...sampleFiles,
        '.photon/workflows/docs.yml': `parallel: ${parallel}\ntasks:\n${tasks}`,
      };
      // side by side, neither goes on until both are at work: one after the other would wait for ever
      const model = await startWriter(barrier(2, parallel), path => {
        const turns = writingTurns(path);
        return [...turns.slice(0, -1), prove, ...turns.slice(-1)];
      });
      const place = await prepare(files, model);
      const run = await act(launcher, { ...place, inputs: { workflow: 'docs' } });
      expect(run.outputs, run.log).toMatchObject({ code: 'COMMITTED' });
      const ended = proven(launcher, 'PATCH_WRITTEN');
      expect(run.outcomes.map(endOf)).toEqual([ended, ended]);
      expect(pullHeads()).toEqual(['photon/workflow-docs']);
    });
  }
});
