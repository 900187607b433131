/** Where a failure without a conversation is reported, and what becomes of the report. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dashboardLabel } from '../../../../src/base/dashboard-state.ts';
import {
  choosePlace,
  type ReportPlace,
  reportFailure,
} from '../../../../src/hosts/github/maintenance/dashboard.ts';
import { renderComment } from '../../../../src/report/comment/comment.ts';
import { dashboardText } from '../../../../src/report/comment/dashboard.ts';
import { commentTime, stranger } from '../../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import { outcome } from '../../../report/hostile.ts';
import { clientOf } from '../publication.ts';

let github: GitHubDouble;
let logged: string[];
beforeEach(async () => {
  logged = [];
  github = await startGitHub({ seed: { 'a.txt': 'one\n' } });
});
afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
});

interface Reported {
  readonly reportTo?: ReportPlace;
  readonly event?: string;
  readonly status?: 'failed' | 'rolled_back' | 'committed' | 'abstained';
  readonly task?: string;
  readonly dryRun?: boolean;
  readonly dashboard?: boolean;
  readonly payload?: object;
}

const environmentFor = ({ event: name = 'workflow_dispatch', payload, ...about }: Reported) =>
  ({
    settings: {
      delivery: 'pull-request',
      staged: false,
      maintenance: [],
      reportTo: about.reportTo,
      dryRun: about.dryRun ?? false,
      dashboard: about.dashboard ?? true,
    },
    input: { event: { name, payload }, delivery: 'github', now: Date.now },
    log: (line: string) => void logged.push(line),
    reporter: () =>
      clientOf({ apiUrl: github.url, token: github.token, repository: github.repository }),
  }) as const;

const report = (about: Reported) =>
  reportFailure(environmentFor(about), {
    task: { id: about.task ?? 'task-12345678' },
    outcome: { ...outcome('The tests fail.'), status: about.status ?? 'failed' },
    comment: renderComment,
    dashboard: dashboardText,
  });

const comments = () => [...github.state.comments.values()];

describe('a failure without a conversation', () => {
  it.each([
    ['schedule', undefined, 'dashboard'],
    ['workflow_dispatch', undefined, 'dashboard'],
    ['repository_dispatch', undefined, 'dashboard'],
    ['workflow_dispatch', 'none', 'none'],
    ['push', undefined, 'none'],
    ['schedule', 'none', 'none'],
    ['push', 12, 12],
    ['push', 'dashboard', 'dashboard'],
  ] as const)('of the event %s with report-to %s goes to %s', (event, reportTo, place) => {
    const about = environmentFor({ event, reportTo });
    expect(choosePlace({ ...about, isMaintenance: false })).toBe(place);
    const dry = environmentFor({ event, reportTo, dryRun: true });
    expect(choosePlace({ ...dry, isMaintenance: false })).toBe('none');
    const off = environmentFor({ event, reportTo, dashboard: false });
    const without = reportTo === undefined ? 'none' : place;
    expect(choosePlace({ ...off, isMaintenance: false })).toBe(without);
  });

  it.each([
    [{ inputs: { issue: '7' } }, 7],
    [{ inputs: { 'pull-request': '#8' } }, 8],
    [{ inputs: { PR_NUMBER: 9 } }, 9],
    [{ client_payload: { task: 'x', issue: 10 } }, 10],
    [{ inputs: { issue: '' } }, 'dashboard'],
    [{ inputs: { issue: '7; 8' } }, 'dashboard'],
    [{ inputs: { issues: '7' } }, 'dashboard'],
    [{ inputs: { issue: '-1' } }, 'dashboard'],
    [{ inputs: null }, 'dashboard'],
  ])('of a dispatch with %o goes to %s', (payload, place) => {
    const about = environmentFor({ payload });
    expect(choosePlace({ ...about, isMaintenance: false })).toBe(place);
    const other = environmentFor({ payload, reportTo: 12 });
    expect(choosePlace({ ...other, isMaintenance: false })).toBe(12);
  });

  it.each(['failed', 'rolled_back'] as const)(
    'that %s is one comment on the issue',
    async status => {
      github.state.issues.set(12, { title: 'Nightly', labels: [] });
      expect(await report({ reportTo: 12, status })).toMatchObject({
        url: expect.stringContaining('/issues/12#issuecomment-'),
      });
      expect(comments()).toMatchObject([{ issue: 12 }]);
      const [{ body } = { body: '' }] = comments();
      expect(body).toContain('<!-- photon:failure=task-12345678 -->');
      expect(body).toContain('**What to do next:** ');
      // the next failure of the task updates it, that of another task adds one, and a forged mark is nobody's
      const forged = { id: 990, issue: 12, body, user: stranger, createdAt: commentTime };
      github.state.comments.set(990, forged);
      await report({ reportTo: 12, status });
      await report({ reportTo: 12, status, task: 'task-87654321' });
      expect(comments()).toHaveLength(3);
      expect(github.state.comments.get(990)?.body).toBe(body);
    },
  );

  it('is marked as solved when the task works again, and only then', async () => {
    github.state.issues.set(12, { title: 'Nightly', labels: [] });
    await report({ reportTo: 12, status: 'committed' });
    expect(comments()).toEqual([]);
    await report({ reportTo: 12 });
    await report({ reportTo: 12, status: 'abstained' });
    expect(comments()[0]?.body).not.toContain('**Solved: ');
    await report({ reportTo: 12, status: 'committed' });
    expect(comments()).toHaveLength(1);
    expect(comments()[0]?.body).toContain('**Solved: the task `task-12345678` works again.**');
    const writes = github.writes().length;
    await report({ reportTo: 12, status: 'committed' });
    expect(github.writes()).toHaveLength(writes);
  });

  it.each([
    [403, 0],
    [404, 0],
    [410, 0],
    [400, 1],
  ])('is not missed where there is no issue to look at: %i', async (status, lines) => {
    github.fail((m, p) => m === 'GET' && p.endsWith('/issues'), { status, body: {} });
    await report({ status: 'committed' });
    expect(logged).toHaveLength(lines);
  });

  it('makes the dashboard for a scheduled task, once', async () => {
    await report({ event: 'schedule', status: 'committed' });
    expect(github.state.issues.size).toBe(0);
    await report({ event: 'schedule' });
    await report({ event: 'schedule' });
    const issues = [...github.state.issues.values()];
    expect(issues).toMatchObject([{ labels: [dashboardLabel] }]);
    expect(issues[0]?.body).toContain('Photon comments here on scheduled runs that failed.');
    expect(comments()).toHaveLength(1);
  });

  it('is a note where the token may not write, and nothing is written', async () => {
    github.state.issues.set(12, { title: 'Nightly', labels: [] });
    github.fail((m, p) => m === 'POST' && p.endsWith('/comments'), {
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
    expect((await report({ reportTo: 12 })).note).toMatch(
      /^The failure could not be reported in #12: /,
    );
    expect(comments()).toEqual([]);
  });
});
