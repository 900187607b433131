/** `photon fleet report`, in this process, against the double of GitHub. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fleet } from '../../../src/cli/commands/fleet.ts';
import { type GitHubDouble, startGitHub } from '../../doubles/github.ts';
import type { WorkflowRunState } from '../../doubles/routes/surface-state.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { makeZip } from '../../doubles/zip.ts';
import { discard, makeFolder } from '../../harness.ts';
import { outcome } from '../../report/hostile.ts';
import { verifiedRun } from '../../report/pages.ts';
import { carryOut } from '../recorded-terminal.ts';

const [one, two, old] = ['octo/sample', 'octo/web', 'octo/old'];

let folder: string;
let github: GitHubDouble;
beforeEach(async () => {
  folder = makeFolder();
  github = await startGitHub({ seed: sampleFiles, others: { [two]: {}, [old]: {} } });
  github.state.surface.organisation.set(one, false).set(two, false).set(old, true);
});
afterEach(async () => {
  await github.close();
  discard(folder);
});

/** Adds a workflow run, with an artifact that holds the text as its outcome. */
function add(run: Partial<WorkflowRunState> & { readonly id: number }, text?: string): void {
  const { surface } = github.state;
  const createdAt = '2026-02-01T10:00:00Z';
  surface.workflowRuns.push({ repository: one, conclusion: 'success', createdAt, ...run });
  if (text === undefined) return;
  const zip = makeZip([{ path: `photon-${run.id}/outcome.json`, content: text }]);
  surface.artifacts.push({ id: run.id, run: run.id, name: 'photon', zip });
}

const page = () => join(folder, 'fleet.html');
const report = (...args: readonly string[]) =>
  carryOut(fleet, 'fleet', ['report', ...args, '--since', '2026-01-20', '--out', page()], {
    GITHUB_TOKEN: github.token,
    GITHUB_API_URL: github.url,
  });

const repaired = (more: object = {}) => {
  const { outcome: made } = verifiedRun();
  const task = { ...made.task, text: 'Repair the failing test.' };
  return JSON.stringify({ ...made, task, ...more });
};

it('lists the runs of an organisation, and says which left no outcome', async () => {
  add({ id: 1, repository: two }, repaired());
  add({ id: 2, createdAt: '2026-02-02T10:00:00Z' }, JSON.stringify(outcome('x', 'failed')));
  add({ id: 3, conclusion: 'cancelled' });
  add({ id: 4 }, '{}');
  add({ id: 5, conclusion: 'skipped' });
  add({ id: 6, conclusion: null });
  add({ id: 7, createdAt: '2026-01-01T10:00:00Z' });
  add({ id: 8, repository: old }, repaired());
  const { out, err, code } = await report('octo');
  expect(code, err).toBe(0);
  expect(out).toBe(`The page of 2 runs is ${page()}.\n`);
  expect(err).toContain('Reading the runs of 2 repositories');
  expect(err).toContain('2 workflow runs left no outcome that can be read');
  const text = readFileSync(page(), 'utf8');
  const rows = text.match(/<tr><td>.*/g) ?? [];
  expect(rows).toHaveLength(2);
  expect(rows[0]).toContain('failed');
  expect(rows[1]).toContain('>Repair the failing test.</a>');
  expect(rows[1]).toContain('Change <code>10</code> to <code>100</code>');
  expect(text).toContain('href="https://github.example/octo/sample/actions/runs/3"');
  expect(text).not.toMatch(/runs\/[5-8]"/);
  expect(github.violations).toEqual([]);
});

it('takes repository and address from GitHub, not from the artifact', async () => {
  add({ id: 1 }, repaired({ repository: 'octo/bank', page: 'https://evil.example/x' }));
  const { out } = await report(one, '--json');
  expect(JSON.parse(out).rows).toMatchObject([
    { repository: one, page: 'https://github.example/octo/sample/actions/runs/1' },
  ]);
  expect(existsSync(page())).toBe(false);
});

it('goes on without a repository whose workflows GitHub does not show', async () => {
  add({ id: 1, repository: two }, repaired());
  const body = { message: 'Resource not accessible by personal access token' };
  github.fail((_, path) => path === `/repos/${one}/actions/workflows`, { status: 403, body });
  const { out, err } = await report('octo');
  expect(out).toContain('The page of 1 run is');
  expect(err).toContain('note: GitHub does not show the runs of octo/sample: ');
});

it.each([
  ['elsewhere', 'GITHUB_REPOSITORY'],
  ['octo/a/b', 'USAGE'],
])('ends for %s with %s', async (name, code) => {
  await expect(report(name)).rejects.toMatchObject({ code });
});
