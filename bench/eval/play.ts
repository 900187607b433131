/** Plays a task with the built command line, and judges what it delivered by the hidden tests. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasPatch, type Outcome } from '../../src/base/outcome.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import { startModel } from '../../test/doubles/model.ts';
import { discard, makeFolder, root } from '../../test/harness.ts';
import { git, readChanges } from '../changes.ts';
import { makeOracle } from './oracle.ts';
import { commitFiles, placeBase } from './repository.ts';
import type { TaskResult } from './result.ts';
import { type EvalTask, type PromptKind, promptText } from './task.ts';
import { withTests } from './tests.ts';
import { judgeEnding, judgePatch, type PatchVerdict } from './verdict.ts';

/** How every task is played. */
export interface PlayOptions {
  readonly repository: string;
  readonly config: string | undefined;
  readonly prompt: PromptKind;
  /** True: the known fix is played in place of the model. */
  readonly oracle: boolean;
  /** Arguments for `photon run`, such as the model. */
  readonly words: readonly string[];
}

/** Plays one task in a folder of its own, which is removed. @throws Error if the run leaves no outcome. */
export async function playTask(task: EvalTask, options: PlayOptions): Promise<TaskResult> {
  const { repository, config, prompt } = options;
  const folder = makeFolder();
  const place = join(folder, 'repository');
  try {
    placeBase(repository, { commit: task.id, folder: place, config });
    if (prompt !== 'hidden') writeChanges(place, task.tests);
    const base = commitFiles(place);
    const out = join(folder, 'out');
    const log = await startRun(task, options, { place, out });
    const found = readdirSync(out, { recursive: true, encoding: 'utf8' });
    const name = found.find(path => path.endsWith('outcome.json'));
    if (name === undefined) throw new Error(`The run has no outcome: ${log.slice(-500)}`);
    const outcome = JSON.parse(readFileSync(join(out, name), 'utf8')) as Outcome;
    const patchPath = join(out, dirname(name), 'patch.diff');
    const hasOne = hasPatch(outcome.status) && existsSync(patchPath);
    const patch = hasOne ? readFileSync(patchPath, 'utf8') : '';
    if (hasOne) git(place, 'apply', '--binary', patchPath);
    // whatever the patch made of them, these are the tests that count
    writeChanges(place, task.tests);
    const changes = hasOne ? readChanges(place, base, commitFiles(place)) : [];
    git(place, 'reset', '-q', '--hard', base);
    const judged = hasOne ? await judgeDelivered(place, repository, { task, changes }) : undefined;
    return describe(task, { outcome, judged, patch });
  } finally {
    discard(folder);
  }
}

/** Writes the new state of changed files. */
function writeChanges(folder: string, changes: readonly FileChange[]): void {
  for (const { path, after } of changes) {
    rmSync(join(folder, path), { force: true });
    if (after === undefined) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), after.bytes, {
      mode: Number.parseInt(after.mode.slice(-3), 8),
    });
  }
}

interface RunPlaces {
  readonly place: string;
  readonly out: string;
}

/** Starts `photon run`, by itself or with a model that plays the known fix. @returns what it printed. */
async function startRun(task: EvalTask, options: PlayOptions, { place, out }: RunPlaces) {
  const { prompt, oracle, words } = options;
  mkdirSync(out);
  const model = oracle ? await startModel(makeOracle(task.fix)) : undefined;
  const given = model === undefined ? {} : { PHOTON_BASE_URL: model.url, PHOTON_API_KEY: 'oracle' };
  const named = model === undefined ? words : [...words, '--model', 'double'];
  const args = ['run', '--repo', place, '--out', out, '--task', promptText(task, prompt), ...named];
  const child = spawn(process.execPath, [join(root, 'dist', 'photon.js'), ...args], {
    env: { ...process.env, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (log += data));
  await new Promise(done => child.on('close', done));
  await model?.close();
  return log;
}

/** Runs the tests of the task on its base with the delivered patch. A failure must repeat. */
function judgeDelivered(
  place: string,
  repository: string,
  { task, changes }: { readonly task: EvalTask; readonly changes: readonly FileChange[] },
): Promise<PatchVerdict> {
  return withTests(place, repository, async (first, second) => {
    const judged = judgePatch(await first(changes), task);
    return judged.solved ? judged : judgePatch(await second(changes), task);
  });
}

interface PlayedRun {
  readonly outcome: Outcome;
  readonly judged: PatchVerdict | undefined;
  readonly patch: string;
}

function describe({ id, title }: EvalTask, { outcome, judged, patch }: PlayedRun): TaskResult {
  const { usage, sandbox, decisions, status, code, message, durationMs } = outcome;
  const isFree = usage.inputTokens + usage.outputTokens === 0;
  const refused = decisions.filter(d => d.state === 'abstain');
  const counts = Map.groupBy(refused, d => d.code);
  return {
    ...{ id, title, code, durationMs, patch, rounds: usage.rounds },
    verdict: judgeEnding(status, judged),
    note: (judged?.note ?? (hasPatch(status) ? '' : message)).slice(0, 400),
    cost: usage.cost ?? (isFree ? 0 : null),
    refusals: Object.fromEntries(
      [...counts].map(([rule, all]) => [rule, all.reduce((n, { count }) => n + count, 0)]),
    ),
    confined: sandbox.guarantees.every(g => g.name !== 'reads' || g.holds),
  };
}
