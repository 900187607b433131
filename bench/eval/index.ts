/**
 * `npm run eval`: how well Photon would do on a repository. Past commits are tasks if their tests fail without their
 * source; each is played with the built command line, and judged by tests that the run could not change.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeOutFolder } from '../../src/workspace/files/run-folder.ts';
import { git } from '../changes.ts';
import { readKept, writeKept } from '../engine.ts';
import { judgePastCommit } from './find.ts';
import { type PlayOptions, playTask } from './play.ts';
import { findCheckout, listHistory } from './repository.ts';
import {
  describeResult,
  type Evaluation,
  renderComparison,
  renderEvaluation,
  type TaskResult,
} from './result.ts';
import { chooseTasks, type EvalTask, promptKinds } from './task.ts';

const usage = `npm run eval -- [find] [flags] [-- arguments of photon run, such as --model gpt-5]

  find               only find tasks
  --repo DIR         the repository (default: the current folder)
  --commits N        look at so many commits (default: 200)
  --since DATE       look at no older commits
  --limit N          play at most so many tasks (default: 20), chosen by --seed TEXT
  --prompt KIND      what a run is told: ${promptKinds.join(', ')} (default: both)
  --oracle           play the known fix in place of a model: what do the rules refuse?
  --config FILE      configuration in place of the repository's
  --against FILE     compare with an earlier eval.json
  --max-cost AMOUNT  end when so much money is spent
  --out DIR          folder of eval.json and of what is kept (default: .photon-out/eval)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repo: { type: 'string', default: '.' },
    commits: { type: 'string', default: '200' },
    since: { type: 'string', default: '' },
    limit: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    prompt: { type: 'string', default: 'both' },
    oracle: { type: 'boolean', default: false },
    config: { type: 'string' },
    against: { type: 'string' },
    'max-cost': { type: 'string', default: 'Infinity' },
    out: { type: 'string', default: join('.photon-out', 'eval') },
    help: { type: 'boolean', default: false },
  },
});

const end = process.argv.indexOf('--');
const words = end < 0 ? [] : process.argv.slice(end + 1);
const prompt = promptKinds.find(kind => kind === values.prompt);
const verbs = positionals.slice(0, positionals.length - words.length);
if (values.help || prompt === undefined || verbs.some(verb => verb !== 'find')) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}

const readText = (path: string | undefined) =>
  path === undefined ? undefined : readFileSync(path, 'utf8');
const hashKey = (...parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20);

const out = makeOutFolder(resolve(values.out));
const repository = findCheckout(values.repo);
const config = readText(values.config);
const own = hashKey(
  repository,
  config,
  String(git(repository, 'ls-tree', '-r', 'HEAD', '.photon')),
);

/** A commit that was judged: the task, or why it is none. Contents of files are read again. */
interface KeptCommit {
  readonly key: string;
  readonly id: string;
  readonly reason?: string;
}

/** Looks at past commits, newest first. What is no task is kept, since proving it takes long. */
async function findTasks(history: readonly string[]): Promise<readonly EvalTask[]> {
  const path = join(out, 'commits.json');
  let kept = readKept<KeptCommit>(path);
  const tasks: EvalTask[] = [];
  for (const id of history) {
    const known = kept.find(k => k.id === id && k.key === own);
    if (known !== undefined) continue;
    const judged = await judgePastCommit(repository, id, config);
    if ('reason' in judged) kept = [...kept, { key: own, id, reason: judged.reason }];
    else tasks.push(judged);
    writeKept(path, kept);
    const line = 'reason' in judged ? `no task: ${judged.reason}` : `is a task: ${judged.title}`;
    process.stderr.write(`${id.slice(0, 12)}  ${line}\n`);
  }
  return tasks;
}

/** Plays tasks one after the other, until the money is spent. What was played with the same options is kept. */
async function playTasks(tasks: readonly EvalTask[], options: PlayOptions) {
  const path = join(out, 'results.json');
  const key = hashKey(own, options.prompt, options.oracle, options.words);
  let kept = readKept<TaskResult & { readonly key: string }>(path);
  const results: TaskResult[] = [];
  let left = Number(values['max-cost']);
  for (const task of tasks) {
    const known = kept.find(k => k.id === task.id && k.key === key);
    if (known === undefined && left <= 0) break;
    const limit = Number.isFinite(left) && !options.oracle ? ['--max-cost', String(left)] : [];
    const given = { ...options, words: [...options.words, ...limit] };
    const played = known ?? (await playTask(task, given));
    if (known === undefined) {
      left -= played.cost ?? 0;
      kept = [...kept, { ...played, key }];
      writeKept(path, kept);
    }
    results.push(played);
    process.stderr.write(`${describeResult(played)}\n`);
  }
  return results;
}

const history = listHistory(repository, Number(values.commits), values.since);
const tasks = await findTasks(history);
if (verbs.includes('find')) process.exit(0);
const chosen = chooseTasks(tasks, Number(values.limit), values.seed);
const { oracle } = values;
const results = await playTasks(chosen, { repository, config, prompt, oracle, words });
const told = oracle ? 'the known fix' : words.join(' ') || 'the settings of the repository';
const evaluation: Evaluation = {
  configuration: `${told}, prompt ${prompt}${config === undefined ? '' : `, config ${values.config}`}`,
  looked: history.length,
  found: tasks.length,
  results,
};
writeFileSync(join(out, 'eval.json'), `${JSON.stringify(evaluation, null, 2)}\n`);
process.stdout.write(renderEvaluation(evaluation));
if (values.against !== undefined && existsSync(values.against)) {
  const other = JSON.parse(readFileSync(values.against, 'utf8')) as Evaluation;
  process.stdout.write(renderComparison(evaluation, other));
}
if (results.length === 0) process.exitCode = 1;
