import { describe, expect, it } from 'vitest';
import { hadNoSandbox } from '../../src/report/pull-request/workflow-pull.ts';
import { judgeTask } from '../../src/workflows/run-task.ts';
import type { WorkflowTask } from '../../src/workflows/workflow-file.ts';

const task: WorkflowTask = {
  id: 'a',
  prompt: 'x',
  dependsOn: [],
  verify: '',
  review: false,
  outputs: [
    { description: 'A file', path: 'docs/a.md' },
    { description: 'A folder', path: 'src/made/' },
  ],
};
const file = (path: string, flag?: string) => ({
  path,
  change: 'modified' as const,
  added: 1,
  removed: 0,
  ...(flag === undefined ? {} : { flag }),
});
const made = {
  status: 'written' as const,
  code: 'PATCH_WRITTEN' as const,
  runId: 'r',
  patch: { files: [file('docs/a.md')], digest: '', tree: '' },
  verification: null,
  ledger: { entries: 3, head: 'abc' },
  sandbox: { launcher: 'bubblewrap', guarantees: [] },
};
const there = new Set(['docs/a.md', 'src/made/x.js']);

describe('a task', () => {
  it('is completed by a verified patch, or by nothing to do, with its outputs there', () => {
    expect(judgeTask(task, made, there).end).toEqual({
      status: 'COMPLETED',
      run: 'r',
      code: 'PATCH_WRITTEN',
      proof: 'nothing',
      ledger: 'abc',
    });
    const nothing = { ...made, status: 'no_change' as const, code: 'PATCH_EMPTY' as const };
    expect(judgeTask(task, nothing, there).end.status).toBe('COMPLETED');
    const answered = { ...made, status: 'answered' as const, code: 'TASK_ANSWERED' as const };
    const { end } = judgeTask({ ...task, outputs: [] }, answered, there);
    expect(end).toMatchObject({ status: 'COMPLETED', proof: 'answered' });
    expect(judgeTask(task, answered, new Set()).end.code).toBe('WORKFLOW_OUTPUT_MISSING');
  });

  it.each([
    ['pass', 'tests pass'],
    ['executed', 'tests pass'],
    ['decided', 'tests pass'],
    ['no-regression', 'no regression'],
    ['none', 'nothing'],
  ] as const)('says what proved a patch that had to meet %s', (require, proof) => {
    const verification = { require, passed: true, patchDigest: '', regressions: [], warnings: [] };
    expect(judgeTask(task, { ...made, verification }, there).end.proof).toBe(proof);
  });

  it('says in its proof that it was made without a sandbox', () => {
    const plain = { ...made, sandbox: { launcher: 'plain', guarantees: [] } };
    const { end } = judgeTask(task, plain, there);
    expect(end.proof).toBe('nothing, without a sandbox');
    expect(hadNoSandbox(end)).toBe(true);
    expect(hadNoSandbox(judgeTask(task, made, there).end)).toBe(false);
  });

  it.each([
    ['a file', ['src/made/x.js'], ['docs/a.md']],
    ['a folder', ['docs/a.md', 'src/made'], ['src/made/']],
    ['both', ['docs/a.mdx', 'src/madex/y'], ['docs/a.md', 'src/made/']],
  ])('fails without %s', (_name, paths, missing) => {
    const judged = judgeTask(task, made, new Set(paths));
    expect(judged).toMatchObject({
      missing,
      end: { status: 'FAILED', code: 'WORKFLOW_OUTPUT_MISSING' },
    });
  });

  it.each([
    ['abstained', 'READ_LIMIT'],
    ['rolled_back', 'VERIFY_FAILED'],
    ['no_change', 'DISABLED'],
    ['previewed', 'DRY_RUN'],
  ] as const)('fails when the run ends %s with %s', (status, code) => {
    const ended = { ...made, status, code: code as typeof made.code };
    expect(judgeTask(task, ended, there).end).toMatchObject({ status: 'FAILED', code });
  });

  it('waits for a person when it says so, or when its patch has flagged files', () => {
    expect(judgeTask({ ...task, review: true }, made, there).end.status).toBe('NEEDS_REVIEW');
    const files = [...made.patch.files, file('package.json', 'manifest')];
    const judged = judgeTask(task, { ...made, patch: { ...made.patch, files } }, there);
    expect(judged).toMatchObject({ end: { status: 'NEEDS_REVIEW' }, flagged: ['package.json'] });
  });
});

describe('a file that would decide about later tasks', () => {
  it.each(['skills/own/SKILL.md', 'skills/own/scripts/run.sh', 'vitest.config.ts', 'Makefile'])(
    'waits for a person: %s',
    path => {
      const patch = { ...made.patch, files: [file(path)] };
      const paths = new Set([...there, 'skills/own/SKILL.md', path]);
      expect(judgeTask(task, { ...made, patch }, paths).flagged).toEqual([path]);
    },
  );
});
