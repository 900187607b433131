/** The progress comment of a run: posted at its start and updated with each phase, without delaying the run. */
import type { Phase } from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';
import type { Attendance, AttendedRun } from '../../host.ts';
import { formatMessage, getStatus } from '../api/github-errors.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import { addMarker, type CommentApi, postComment, requestMark } from './comment.ts';

/** Number of consecutive failures after which Photon gives up. */
const maxFailures = 3;
/** Longest time that the end of a run waits for a running update. */
const closeMs = 3_000;

/** What the progress comment shows: the phases in order, and lines about what people said to the run. */
interface ShownProgress {
  readonly seen: readonly Phase[];
  readonly messages: readonly string[];
}

/** Renders it; `runUrl` is the page of the workflow run, which may be empty. */
export type RenderProgress = (task: Task, shown: ShownProgress, runUrl: string) => string;

interface WatchedProgress extends Required<Pick<Attendance, 'onPhase' | 'close'>> {
  /** Replaces the lines about what people said. */
  say(lines: readonly string[]): void;
  /** True if GitHub may still carry out an update that was given up. */
  mayComeLate(): boolean;
}

/**
 * Shows the run as it begins, and again whenever its phase changes: a newer text replaces one that still waits. One request
 * is sent at a time, and a failure is only logged. Undefined without a conversation.
 */
export function watchProgress(
  environment: GitHubEnvironment,
  { id: run, task }: Pick<AttendedRun, 'id' | 'task'>,
  render: RenderProgress,
): WatchedProgress | undefined {
  if (task.conversation === undefined) return undefined;
  const { conversation } = task;
  const { input, log } = environment;
  const seen: Phase[] = [];
  let messages: readonly string[] = [];
  const marker = requestMark(input, run);
  const stop = new AbortController();
  let waiting: string | undefined;
  let work: Promise<void> | undefined;
  let id: number | undefined;
  let place: CommentApi | undefined;
  let failures = 0;
  let isLate = false;

  async function send(body: string): Promise<void> {
    const { github } = environment;
    const text = { body, marker };
    const signal = AbortSignal.any([github.signal, stop.signal]);
    if (id === undefined)
      ({ id, place } = await postComment(github, { conversation, signal, ...text }));
    else await place?.update(id, addMarker(text), { request: { signal, retries: 0 } });
    failures = 0;
  }

  async function drain(): Promise<void> {
    while (waiting !== undefined && !stop.signal.aborted && failures < maxFailures) {
      const text = waiting;
      waiting = undefined;
      try {
        await send(text);
      } catch (error) {
        // a person deleted the comment, so it stays deleted until the run ends
        failures = getStatus(error) === 404 ? maxFailures : failures + 1;
        isLate ||= (getStatus(error) ?? 500) >= 500;
        if (!stop.signal.aborted)
          log(`GitHub: Photon cannot show the progress: ${formatMessage(error)}`);
      }
    }
    work = undefined;
  }

  function show(): void {
    waiting = render(task, { seen, messages }, input.page);
    work ??= drain();
  }

  function onPhase(phase: Phase): void {
    seen.push(phase);
    show();
  }

  onPhase('INPUT');
  return {
    onPhase,
    say: lines => {
      messages = lines;
      show();
    },
    close: async () => {
      waiting = undefined;
      if (work === undefined) return;
      const late = setTimeout(() => stop.abort(), closeMs);
      await Promise.race([work, waitForAbort(stop.signal)]);
      clearTimeout(late);
      isLate ||= work !== undefined;
      stop.abort();
    },
    mayComeLate: () => isLate,
  };
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
