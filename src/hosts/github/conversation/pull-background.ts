/** What a pull request holds besides its description: commits, diff, failed checks, reviews and open threads. */
import type { ContextText, HeadBranch } from '../../../base/task.ts';
import { readOutside } from '../../../guard/content/outside-text.ts';
import { changeLine, type PullFile } from '../../../tools/pull-diff.ts';
import { isInstructionFile } from '../../../workspace/trusted/instruction-files.ts';
import { fetchPullChanges, type PullCommit } from '../api/pull-files.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import {
  existedAt,
  formatTime,
  isTalk,
  newestShown,
  type Occasion,
  readOrSkip,
  shownText,
  visibleAuthors,
} from './background.ts';
import { listFailed, readChecks } from './checks.ts';
import { readJobLog } from './failed-logs.ts';
import { fetchReviews, type ReviewThread } from './review-threads.ts';

const maxCommits = 30;
/** Maximum characters of the diff in the task; read_pull_diff shows the rest. */
const maxDiff = 12_000;
const maxChecks = 3;
const maxNames = 2_000;

/** What a pull request changes, with its failed checks, and its reviews. The thread of the command comes last. */
export async function readPull(
  context: RepositoryContext,
  occasion: Occasion,
  head: HeadBranch,
): Promise<Readonly<Record<'changes' | 'reviews', readonly ContextText[]>>> {
  if (context.settings.conversation === 'off') return { changes: [], reviews: [] };
  const { github } = context;
  const changes = occasion.showsDiff
    ? await readOrSkip(github, 'the diff of the pull request', () => readChanges(context, head))
    : [];
  // on a fork, strangers decide what a check prints
  const checks = head.fork
    ? []
    : await readOrSkip(github, 'the failed checks', () => showFailed(context, head.sha));
  const reviews = await readOrSkip(github, 'the reviews', () => readReviews(context, occasion));
  return { changes: [...changes, ...checks], reviews };
}

async function readChanges(
  context: RepositoryContext,
  { base, sha, fork }: HeadBranch,
): Promise<readonly ContextText[]> {
  const { github, taskTexts } = context;
  const { commits, diff } = await fetchPullChanges(github, {
    base,
    sha,
    withholds: context.git.withholds,
  });
  const author = 'the pull request';
  const texts: ContextText[] = [];
  // whoever can push to this repository has write access; on a fork anybody chose the words
  if (fork !== true && commits.length > 0) {
    const text = commits
      .slice(-maxCommits)
      .map(c => taskTexts('commit', commitFields(context, c)))
      .join('\n');
    texts.push({ label: taskTexts('commits_label', {}), author, text });
  }
  if (diff.files.length > 0)
    texts.push({
      label: taskTexts('diff_label', {}),
      author,
      text: renderFiles(context, diff.files, maxDiff).text,
    });
  return texts;
}

function commitFields(context: RepositoryContext, { sha, author, message }: PullCommit) {
  const line = (text: string, max: number) =>
    shownText(context, {
      source: 'commit message',
      text: text.split('\n')[0]?.replace(/\s+/g, ' ') ?? '',
      max,
    });
  return { sha: sha.slice(0, 7), author: line(author, 60), title: line(message, 160) };
}

/**
 * The files that fit, each with its hunks, and the names of the others. The text of instruction files for agents is left
 * out: those of the trusted branch alone say anything to the model.
 */
export function renderFiles(
  { taskTexts, scrub }: RepositoryContext,
  files: readonly PullFile[],
  maxChars: number,
): ReturnType<typeof readOutside> {
  let left = maxChars;
  let hidden = 0;
  const shown: string[] = [];
  const others: string[] = [];
  for (const file of files) {
    const patch = file.patch === '' ? taskTexts('diff_no_text', {}) : file.patch;
    const { text, removed } = readOutside('diff', scrub(`${changeLine(file)}\n${patch}`));
    hidden += removed;
    const fits = text.length <= left && !isInstructionFile(file.path);
    if (fits) shown.push(text);
    else others.push(readOutside('path', file.path).text);
    if (fits) left -= text.length;
  }
  const paths = others.join(', ').slice(0, maxNames);
  const more = paths === '' ? [] : [taskTexts('diff_more', { paths })];
  return { text: [...shown, ...more].join('\n\n'), removed: hidden };
}

/** The checks that failed on the commit, with the end of the log or what the check says of itself. */
async function showFailed(
  context: RepositoryContext,
  sha: string,
): Promise<readonly ContextText[]> {
  const { github, taskTexts } = context;
  const failed = listFailed(await readChecks(github, sha));
  const texts: ContextText[] = [];
  for (const { name, job, text: own } of failed.slice(0, maxChecks)) {
    const [log] =
      job === undefined
        ? []
        : await readOrSkip(github, `the log of job ${job}`, async () => [
            await readJobLog(github, job, taskTexts),
          ]);
    const found =
      log === undefined
        ? ({ source: 'check summary', text: own } as const)
        : ({ source: 'CI log', text: log } as const);
    const shown = taskTexts('check', {
      name: shownText(context, { source: 'title', text: name, max: 100 }),
      text: shownText(context, { ...found, max: 8_000 }),
    });
    texts.push({ label: taskTexts('check_label', {}), author: 'the check', text: shown });
  }
  return texts;
}

async function readReviews(
  context: RepositoryContext,
  occasion: Occasion,
): Promise<readonly ContextText[]> {
  const { taskTexts } = context;
  const { conversation, thread: opened, at } = occasion;
  const { comment, number } = conversation;
  const found = await fetchReviews(context.github, number);
  const nameOf = visibleAuthors(context, opened.author);
  const isOwn = (thread: ReviewThread) =>
    comment?.kind === 'review' && thread.comments.some(c => c.id === comment.id);
  const texts: ContextText[] = [];
  const reviews = found.reviews.filter(
    r => existedAt(r, at) && isTalk(r.body, context) && r.id !== comment?.id,
  );
  texts.push(
    ...(await newestShown(context, reviews, {
      nameOf,
      label: r =>
        taskTexts('review_label', { time: formatTime(r), verdict: r.verdict.toLowerCase() }),
    })),
  );
  // its own thread last, whatever its state
  const open = found.threads.filter(t => !t.isResolved && !isOwn(t));
  const own = found.threads.filter(isOwn);
  const comments = [...open, ...own].flatMap(thread =>
    thread.comments
      .filter(c => existedAt(c, at) && isTalk(c.body, context) && c.id !== comment?.id)
      .map(c => ({ ...c, thread })),
  );
  texts.push(
    ...(await newestShown(context, comments, {
      nameOf,
      label: ({ thread, ...c }) =>
        taskTexts(isOwn(thread) ? 'own_thread_label' : 'thread_label', { time: formatTime(c) }),
      frame: ({ thread }, text) => taskTexts('thread', { place: placeText(thread), text }),
    })),
  );
  return texts;
}

function placeText({ path, startLine, line }: ReviewThread): string {
  const file = readOutside('path', path).text.slice(0, 300);
  if (line === null) return `${file} (outdated)`;
  return startLine === null || startLine === line
    ? `${file}:${line}`
    : `${file}:${startLine}-${line}`;
}
