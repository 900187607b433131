/** Task files in the form of published sets (JSON lines), and the predictions that their judges take. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { parseAs, parseJson } from '../base/schema-issue.ts';
import { readOutside } from '../guard/content/outside-text.ts';
import { changesBetween, readCommit } from '../workspace/commits/past-commits.ts';
import type { Git } from '../workspace/git/git.ts';
import type { TaskResult } from './result.ts';
import { type EvalTask, withPresentConfig } from './task.ts';

const maxStatement = 20_000;
const maxInstances = 20_000;

/** A list of names; published sets hold it as JSON inside of a string, too. */
const names = () =>
  z.preprocess(
    value => (typeof value === 'string' ? (parseJson(value) ?? value) : value),
    z.array(z.string().min(1).max(1000)).max(20_000),
  );

const instanceSchema = z.object({
  instance_id: z.string().regex(/^[\w.-]{1,200}$/),
  base_commit: z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
  problem_statement: z.string().max(1_000_000),
  test_patch: z.string().max(10_000_000).default(''),
  patch: z.string().max(10_000_000).default(''),
  FAIL_TO_PASS: names(),
  PASS_TO_PASS: names().default([]),
});

export type Instance = z.infer<typeof instanceSchema>;

/** Parses a task file. @throws PhotonError `EVALUATION_INVALID` with the line. */
export function parseInstances(file: string, name: string): readonly Instance[] {
  const lines = file.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line, i }]));
  if (lines.length > maxInstances)
    throw new PhotonError('EVALUATION_INVALID', `${name} has more than ${maxInstances} lines.`);
  const instances = lines.map(({ line, i }) =>
    parseAs(instanceSchema, line, { code: 'EVALUATION_INVALID', name: `${name}: line ${i + 1}` }),
  );
  if (new Set(instances.map(i => i.instance_id)).size < instances.length)
    throw new PhotonError('EVALUATION_INVALID', `${name} has an instance_id twice.`);
  return instances;
}

/** The task of a line. @returns the reason if the repository cannot give it. */
export async function taskOfInstance(
  git: Git,
  instance: Instance,
  config: string | undefined,
): Promise<EvalTask | string> {
  const commit = await readCommit(git, instance.base_commit);
  if (commit === undefined) return 'the repository does not have its base_commit';
  const tree = await withPresentConfig(git, commit.tree, config);
  const readChanges = async (diff: string) => {
    if (diff === '') return [];
    const to = await git.applyDiff({ tree, diff: diff.endsWith('\n') ? diff : `${diff}\n` });
    return to === undefined ? undefined : changesBetween(git, { from: tree, to });
  };
  const tests = await readChanges(instance.test_patch);
  if (tests === undefined) return 'its test_patch does not apply to its base_commit';
  const statement = readOutside('problem statement', instance.problem_statement).text.trim();
  return {
    id: instance.instance_id,
    title: statement.split('\n')[0]?.slice(0, 120) ?? '',
    message: statement.slice(0, maxStatement),
    time: commit.time,
    tree,
    tests,
    fix: instance.patch === '' ? undefined : await readChanges(instance.patch),
    failing: instance.FAIL_TO_PASS,
    passing: instance.PASS_TO_PASS,
    wholeCommand: false,
  };
}

/** The predictions of an evaluation, one line for each task. */
export function renderPredictions(results: readonly TaskResult[], model: string): string {
  return results
    .map(({ id, patch }) => ({ instance_id: id, model_name_or_path: model, model_patch: patch }))
    .map(line => `${JSON.stringify(line)}\n`)
    .join('');
}
