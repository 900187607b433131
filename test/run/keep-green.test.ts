import { describe, expect, it } from 'vitest';
import { commentTime, permit, writer } from '../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { done, prove, repairScript, sampleFiles, testedByNode } from '../doubles/sample.ts';
import { type ActionRun, discard, makeFolder, runAction } from '../harness.ts';

const at = '2026-02-01T11:00:00Z';
const command = 900;

interface Stage {
  readonly github: GitHubDouble;
  /** One event as the workflow gets it; how often the model was asked. */
  step(
    event: object,
    script?: typeof repairScript,
  ): Promise<ActionRun & { readonly asked: number }>;
  head(): string;
  /** Fails or passes the check on a commit. */
  check(sha: string, conclusion: 'failure' | 'success', name?: string): void;
  /** A push by a person. */
  push(branch: string, files: Record<string, string>): string;
}

const pullOf = (stage: Stage) => ({
  number: 3,
  title: 'Work',
  body: '',
  user: writer,
  head: { sha: stage.head() },
});

const commanded = (stage: Stage) => {
  const [body, user] = ['/photon keep-green', writer];
  const { comments } = stage.github.state;
  comments.set(command, { id: command, issue: 3, body, user, createdAt: commentTime });
  const comment = { id: command, body, user, created_at: commentTime };
  const issue = { ...pullOf(stage), pull_request: {} };
  return { name: 'issue_comment', payload: { action: 'created', comment, issue } };
};
const suite = () => ({
  name: 'check_suite',
  payload: { action: 'completed', check_suite: { pull_requests: [{ number: 3 }] } },
});
const tested = { ...sampleFiles, ...testedByNode };

/** Puts a line in place of the conflict. */
const resolve = (content: string, end_line: number): (typeof repairScript)[number] => ({
  text: `The base rounds, and the pull request counts from 4999. Now: ${content.trim()}`,
  calls: [
    {
      name: 'apply_patch',
      arguments: {
        files: [{ path: 'src/price.js', edits: [{ start_line: 9, end_line, content }] }],
      },
    },
  ],
});

/** Drops what the base meant, which the tests refuse, and then keeps both. */
const resolveScript: typeof repairScript = [
  {
    text: 'The base was merged, and its conflict in shipsFree has to be resolved.',
    calls: [
      { name: 'skill_activate', arguments: { skill_name: 'test-repair' } },
      {
        name: 'plan',
        arguments: {
          entry_symbols: ['shipsFree'],
          affected_files: ['src/price.js'],
          scope: 'resolve the conflict',
          max_changed_lines: 12,
        },
      },
    ],
  },
  {
    text: 'Both sides changed the same line, so I read the conflict with its marks.',
    calls: [
      {
        name: 'read_code_block',
        arguments: { requests: [{ file_path: 'src/price.js', start_line: 8, end_line: 16 }] },
      },
    ],
  },
  resolve('  return total > 6000;', 15),
  prove,
  resolve('  return Math.round(total) > 4999;', 9),
  prove,
  done,
];

/** Pull request 3 of a branch, whose check fails. */
async function watch(
  check: (stage: Stage) => Promise<void>,
  seed: Readonly<Record<string, string>> = sampleFiles,
): Promise<void> {
  const github = await startGitHub({ seed });
  const { store, state } = github;
  const push: Stage['push'] = (branch, files) => store.push(branch, files, 'By hand', new Date(at));
  const head = () => store.commitOf('feature') ?? '';
  let id = 7_000;
  const stage: Stage = {
    github,
    push,
    head,
    check: (sha, conclusion, name = 'test') => {
      id += 1;
      state.surface.checks.push({ id, name, sha, conclusion, app: 'other', summary: '1800 !== 0' });
    },
    step: async (event, script = repairScript) => {
      const model = await startModel(script);
      const folder = makeFolder();
      try {
        github.clone(`${folder}/checkout`, 'feature');
        const about = event as { name: string; payload: object };
        const place = { github, modelUrl: model.url, workspace: `${folder}/checkout` };
        const run = await runAction({ ...place, event: about, inputs: { task: '' } });
        return { ...run, asked: model.requests.length };
      } finally {
        await model.close();
        discard(folder);
      }
    },
  };
  try {
    permit(github);
    push('feature', { 'NOTES.md': 'work\n' });
    const shared = { draft: false, fork: false, user: writer } as const;
    const about = {
      title: 'Work',
      body: '',
      state: 'open',
      head: 'feature',
      base: 'main',
    } as const;
    state.pulls.set(3, { number: 3, labels: [], ...about, ...shared });
    stage.check(head(), 'failure');
    await check(stage);
    expect(github.violations).toEqual([]);
  } finally {
    await github.close();
  }
}

const isMerged = ({ github }: Stage) =>
  github.store.tryGit(['merge-base', '--is-ancestor', 'main', 'feature']) !== null;

describe('/photon keep-green', () => {
  it('makes a pull request with a failing check, a conflict and a moved base green, a ledger for each step', async () => {
    await watch(async stage => {
      const { store, violations } = stage.github;
      const source = sampleFiles['src/price.js'] ?? '';
      const change = (branch: string, to: string) => {
        const file = { 'src/price.js': source.replace('total >= 5000', to) };
        const sha = stage.push(branch, file);
        stage.check(sha, branch === 'main' ? 'success' : 'failure');
      };
      change('feature', 'total > 4999');
      change('main', 'Math.round(total) >= 5000');
      const repaired = await stage.step(commanded(stage));
      expect(violations).toEqual([]);
      expect(repaired.outcome.code, repaired.outcome.message).toBe('COMMITTED');
      const before = stage.head();
      stage.check(before, 'success');
      const resolved = await stage.step(suite(), resolveScript);
      expect(resolved.outcome.code, resolved.outcome.message).toBe('COMMITTED');
      expect(resolved.outcome.base).toMatchObject({
        commit: before,
        merged: store.commitOf('main'),
      });
      expect(violations).toEqual([]);
      expect(store.git(['rev-parse', 'feature^1', 'feature^2']).split('\n')).toEqual([
        before,
        store.commitOf('main'),
      ]);
      const text = store.git(['show', 'feature:src/price.js']);
      expect(text).toContain('return Math.round(total) > 4999;');
      expect(text).toContain('discountPercent / 100)');
      stage.check(stage.head(), 'success');
      stage.check(stage.push('main', { 'docs.md': 'moved\n' }), 'success');
      const merged = await stage.step(suite());
      expect([merged.outcome.code, merged.asked]).toEqual(['WATCHED', 0]);
      stage.check(stage.head(), 'success');
      const green = await stage.step(suite());
      expect([green.outcome.code, green.asked]).toEqual(['WATCHED', 0]);
      expect(isMerged(stage)).toBe(true);
      for (const { ledger } of [repaired, resolved, merged, green])
        expect(ledger.at(-1)?.tool).toBe('run.end');
    }, tested);
  }, 120_000);
});
