/** Is somebody at work on an issue, or was this task turned down? Looked up before a run starts. */
import type { Code } from '../../codes.ts';
import { isOwn } from '../api/comment.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { findLastPull, type PullQuestion } from './own-pulls.ts';

/** Why a task is left alone. */
export interface LeftAlone {
  readonly status: 'no_change';
  readonly code: Code;
  readonly message: string;
}

/**
 * A pull request of Photon for this very task that a person closed without a merge is a no. One that
 * Photon closed is none: a delivery that was put back, or an undo.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findPersonsNo(
  github: GitHub,
  question: PullQuestion,
  branch: string,
): Promise<LeftAlone | null> {
  const last = await findLastPull(github, question, branch);
  if (last?.state !== 'closed') return null;
  const where = { ...splitRepository(question.repository), issue_number: last.number };
  const { data } = await withCodes(github, () => github.rest.issues.get(where));
  if (data.closed_by && isOwn({ user: data.closed_by }, await github.self())) return null;
  return leave('CLOSED_BEFORE', `Pull request #${last.number} of this task was closed unmerged.`);
}

/**
 * An open pull request of Photon for the task: whoever starts it without words gets no second one.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findOwnOpen(
  github: GitHub,
  question: PullQuestion,
  branch: string,
): Promise<LeftAlone | null> {
  const last = await findLastPull(github, question, branch);
  if (last?.state !== 'open') return null;
  return leave('PULL_REQUEST_OPEN', `Pull request #${last.number} of this task is still open.`);
}

export interface IssueQuestion {
  readonly repository: string;
  readonly number: number;
  /** Who asked; an issue that is assigned to them is theirs to give away. */
  readonly askedBy: string;
  /** Login that stands for Photon itself; empty when there is none. */
  readonly photon: string;
  /** Pull requests of Photon's own, which do not count. */
  readonly ownPulls: readonly number[];
}

const maxPages = 5;

type Timeline = Awaited<ReturnType<GitHub['rest']['issues']['listEventsForTimeline']>>['data'];

/**
 * Who is at work on an issue already: somebody it is assigned to, an open pull request that says it
 * closes the issue, a commit that closed it; or the issue is closed.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findWorkOnIssue(
  github: GitHub,
  question: IssueQuestion,
): Promise<LeftAlone | null> {
  const where = { ...splitRepository(question.repository), issue_number: question.number };
  const { data: issue } = await withCodes(github, () => github.rest.issues.get(where));
  const mine = [question.askedBy, question.photon].map(login => login.toLowerCase());
  const other = (issue.assignees ?? []).find(a => !mine.includes(a.login.toLowerCase()));
  if (other !== undefined)
    return leave('WORK_IN_PROGRESS', `Issue #${question.number} is assigned to ${other.login}.`);
  const timeline = await readTimeline(github, where);
  const commit = closingCommit(timeline);
  if (issue.state === 'closed')
    return leave(
      'WORK_IN_PROGRESS',
      `Issue #${question.number} is closed${commit === null ? '' : ` by commit ${commit}`}.`,
    );
  const pull = linkedPull(timeline, question);
  return pull === null
    ? null
    : leave('WORK_IN_PROGRESS', `Pull request #${pull} is open for issue #${question.number}.`);
}

async function readTimeline(
  github: GitHub,
  where: { owner: string; repo: string; issue_number: number },
): Promise<Timeline> {
  const all: Timeline = [];
  for (let page = 1; page <= maxPages; page++) {
    const { data } = await withCodes(github, () =>
      github.rest.issues.listEventsForTimeline({ ...where, per_page: 100, page }),
    );
    all.push(...data);
    if (data.length < 100) break;
  }
  return all;
}

/** The commit of the last closing, as far as it was not opened again. */
function closingCommit(timeline: Timeline): string | null {
  const last = timeline.findLast(e => e.event === 'closed' || e.event === 'reopened');
  const commit = last?.event === 'closed' && 'commit_id' in last ? last.commit_id : null;
  return typeof commit === 'string' ? commit.slice(0, 12) : null;
}

/** An open pull request of this repository, not Photon's, with a word that closes the issue. */
function linkedPull(timeline: Timeline, question: IssueQuestion): number | null {
  const { number, repository, ownPulls } = question;
  const closes = new RegExp(
    `\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \\t]+(?:${RegExp.escape(repository)})?#${number}\\b`,
    'i',
  );
  for (const event of timeline) {
    if (event.event !== 'cross-referenced' || !('source' in event)) continue;
    const source = (event.source as { issue?: SourceIssue } | undefined)?.issue;
    const open = source?.pull_request != null && source.state === 'open';
    if (
      !open ||
      ownPulls.includes(source.number) ||
      !source.repository_url?.endsWith(`/${repository}`)
    )
      continue;
    if (closes.test(`${source.title}\n${source.body ?? ''}`)) return source.number;
  }
  return null;
}

interface SourceIssue {
  readonly number: number;
  readonly title: string;
  readonly body?: string | null;
  readonly state: string;
  readonly pull_request?: unknown;
  readonly repository_url?: string;
}

function leave(code: Code, message: string): LeftAlone {
  return { status: 'no_change', code, message };
}
