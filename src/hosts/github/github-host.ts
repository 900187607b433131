/** GitHub as a host: events become tasks, and results become pull requests, reviews and comments. */
import { once } from '../../base/once.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import type { Settings } from '../../settings/settings.ts';
import { deliverHere } from '../deliver-patch.ts';
import type { Attendance, AttendedRun, Host, OpenHost } from '../host.ts';
import { readTaskFile } from '../input-task.ts';
import { formatMessage } from './api/github-errors.ts';
import { fetchDrift, RemoteTrees } from './api/remote-tree.ts';
import type { GitHubEnvironment } from './auth/repository-context.ts';
import { askMarker } from './conversation/answer.ts';
import { type Inbox, openInbox } from './conversation/inbox.ts';
import { type RenderProgress, watchProgress } from './conversation/progress-comment.ts';
import { endLease } from './conversation/watch-state.ts';
import { offerPlan } from './delivery/approval.ts';
import {
  checkBeforehand,
  type DeliveryText,
  deliverOnGitHub,
  readBranchHead,
  reportOnGitHub,
} from './delivery/deliver.ts';
import { postReview, type RenderReview } from './delivery/review.ts';
import { type DashboardText, keepDashboard, reportFailure } from './maintenance/dashboard.ts';
import { aimAt, parseRow } from './maintenance/tasks.ts';
import { environmentFor, openGitHubEnvironment } from './open-github.ts';
import { type EventRequest, parseEvent } from './parse/event.ts';
import { resolveTasks, type TriggerContext } from './triggers/resolve-tasks.ts';

/** The texts that are posted. */
interface GitHubTexts {
  readonly delivery: (task: Task, settings: Pick<Settings, 'titleTemplate'>) => DeliveryText;
  readonly review: RenderReview;
  readonly dashboard: DashboardText;
  readonly progress: RenderProgress;
  /** The comment on an outcome; the mark lets an answer to its question find the command. */
  readonly comment: (outcome: Outcome, askMarker: string) => string;
}

/** Opens GitHub for the event of a job, or for the row of a fleet. */
export function gitHubHost(texts: GitHubTexts): OpenHost {
  return async (input, folder) => {
    const request = parseEvent({ ...input.inputs, ...input.event });
    if (request.kind === 'declined') return { declined: request.reason };
    const row = parseRow(input.inputs.row ?? '');
    const environment = await openGitHubEnvironment(aimAt(input, row), folder, request);
    return openHost(environment, { request, row, texts });
  };
}

interface HostOptions extends Pick<TriggerContext, 'request' | 'row'> {
  readonly texts: GitHubTexts;
}

/** Requests that nobody made in a conversation. */
const unattended: ReadonlySet<EventRequest['kind']> = new Set([
  'task',
  'dispatch',
  'schedule',
  'failed-workflow',
]);

function openHost(environment: GitHubEnvironment, options: HostOptions): Host {
  const { request, row, texts } = options;
  let inbox: Inbox | undefined;
  let progress: ReturnType<typeof watchProgress>;
  return {
    environment,
    readTrigger: async () => {
      const prompt = request.kind === 'task' && (await readTaskFile(environment, request.prompt));
      const complete = prompt === false ? request : { ...request, prompt };
      return resolveTasks({ ...environment, request: complete, row });
    },
    trusted: environment.trusted,
    within: (task, limit, records) =>
      openHost(environmentFor(environment.within(limit, records), task), options),
    attend: run => {
      const mode = run.mode;
      progress = mode.showsProgress ? watchProgress(environment, run, texts.progress) : undefined;
      inbox = openInbox(environment, run, lines => progress?.say(lines));
      return attend(environment, run, { texts, progress, inbox });
    },
    report: async ({ opened: { id }, task }, outcome) => {
      await keepCost(environment, task, outcome);
      if (task?.conversation === undefined) {
        // the rows of a fleet are gathered by a job of their own; before it is known that a person may ask, nobody is answered
        if (row !== undefined || (task === undefined && !unattended.has(request.kind))) return {};
        const { comment, dashboard } = texts;
        const report = { task, outcome, comment, dashboard };
        return reportFailure(environment, report);
      }
      const mayComeLate = progress?.mayComeLate() ?? false;
      return reportOnGitHub(environment, { id, task, mayComeLate }, () => {
        const text = texts.comment(outcome, askMarker(task.conversation));
        return `${text.trimEnd()}\n${inbox?.mark() ?? ''}`;
      });
    },
    conclude: async results => {
      if (row === undefined) await keepDashboard(environment, results, texts.dashboard);
    },
    close: environment.close,
  };
}

/** Ends the lease of a run of a watch, and keeps what it cost; the bound of the watch needs it. A failure is only logged. */
async function keepCost(
  environment: GitHubEnvironment,
  task: Task | undefined,
  { usage }: Outcome,
): Promise<void> {
  if (task?.keepsGreen !== true || task.headBranch === undefined) return;
  const kept = endLease(environment.github, task.headBranch.number, usage.cost ?? 0);
  await kept.catch((error: unknown) =>
    environment.log(`Keep green: the cost could not be kept: ${formatMessage(error)}`),
  );
}

interface AttendParts {
  readonly texts: GitHubTexts;
  readonly progress: ReturnType<typeof watchProgress>;
  readonly inbox: Inbox | undefined;
}

function attend(
  environment: GitHubEnvironment,
  run: AttendedRun,
  { texts, progress, inbox }: AttendParts,
): Attendance {
  const { task, mode } = run;
  const head = readBranchHead(environment, run);
  const delivery = texts.delivery(task, environment.settings);
  return {
    ready: Promise.all([checkBeforehand(environment, run), inbox?.first]).then(() => {}),
    onPhase: progress?.onPhase,
    takeMessages: inbox?.takeMessages,
    reviewBase: openReviewBase(environment, task),
    publish: verified => {
      // from its proof on, a patch is delivered whole: an order to stop comes too late
      const prove = async () => {
        const proven = await verified.prove();
        await inbox?.close();
        return proven;
      };
      const patch = { ...verified, prove };
      return mode.target === 'publish'
        ? deliverOnGitHub(environment, { patch, texts: delivery, startedFrom: head })
        : deliverHere(environment, patch, delivery.pullRequest);
    },
    post: async (ending, plan) => {
      const posted = await postReview(environment, run, [ending, texts.review]);
      return offerPlan(environment, run, { ending: posted, plan });
    },
    close: async () => {
      await inbox?.close();
      await progress?.close();
    },
  };
}

/**
 * For a review: reads the base once, at its first use: the latest commit that the branches have in common. Undefined if the difference is
 * too large or cannot be read; then nothing is proven by comparison.
 */
function openReviewBase(
  { github, git, log }: GitHubEnvironment,
  { headBranch, review }: Task,
): Attendance['reviewBase'] {
  if (review === undefined) return undefined;
  const fetch = async () => {
    if (headBranch === undefined) return undefined;
    const trees = new RemoteTrees(github);
    const base = await trees.mergeBase(headBranch.base, headBranch.sha);
    const drift = await fetchDrift(trees, { from: git.fullTree, to: await trees.readTree(base) });
    return drift?.filter(change => !git.withholds(change.path));
  };
  return once(() =>
    fetch().catch((error: unknown) => {
      log(`Review: the base of the pull request cannot be read: ${formatMessage(error)}`);
      return undefined;
    }),
  );
}
