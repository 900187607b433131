/** The progress comment of a run: posted at its start and updated with each phase, without delaying the run. */

import type { Phase } from '../../../outcome.ts';
import type { Conversation, Task } from '../../../task.ts';
import type { Attendance, AttendedRun } from '../../host.ts';
import type { GitHub } from '../api/github.ts';
import { messageOf, statusOf } from '../api/github-errors.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import { type CommentPlace, marked, postComment, requestMark } from './comment.ts';

interface ProgressRequest {
  readonly repository: string;
  readonly conversation: Conversation;
  /** Opened when the run starts; its mutations are a second apart. */
  readonly github: () => Promise<GitHub>;
  readonly log: (line: string) => void;
}

interface ProgressText {
  readonly body: string;
  readonly marker: string;
}

interface ProgressComment {
  /** Shows a text as soon as possible. A newer text replaces one that still waits. */
  show(text: ProgressText): void;
  /** Waits, for a few seconds at most, until no update is running. */
  close(): Promise<void>;
}

/** Number of consecutive failures after which Photon gives up. */
const maxFailures = 3;
/** Longest time that the end of a run waits for a running update. */
const closeMs = 3_000;

/** Opens the comment. It sends one request at a time and only logs failures. */
function openProgressComment(request: ProgressRequest): ProgressComment {
  const stop = new AbortController();
  let waiting: ProgressText | null = null;
  let work: Promise<void> | null = null;
  let id: number | null = null;
  let place: CommentPlace | null = null;
  let failures = 0;

  async function send(text: ProgressText): Promise<void> {
    const github = await request.github();
    const { repository, conversation } = request;
    const signal = AbortSignal.any([github.signal, stop.signal]);
    if (id === null)
      ({ id, place } = await postComment(github, { repository, conversation, signal, ...text }));
    else await place?.update(id, marked(text), { request: { signal, retries: 0 } });
    failures = 0;
  }

  async function drain(): Promise<void> {
    while (waiting !== null && !stop.signal.aborted && failures < maxFailures) {
      const text = waiting;
      waiting = null;
      try {
        await send(text);
      } catch (error) {
        // a person deleted the comment, so it stays deleted until the run ends
        failures = statusOf(error) === 404 ? maxFailures : failures + 1;
        if (!stop.signal.aborted)
          request.log(`GitHub: Photon cannot show the progress: ${messageOf(error)}`);
      }
    }
    work = null;
  }

  return {
    show: text => {
      waiting = text;
      work ??= drain();
    },
    close: async () => {
      waiting = null;
      if (work === null) return;
      const late = setTimeout(() => stop.abort(), closeMs);
      await Promise.race([work, aborted(stop.signal)]);
      clearTimeout(late);
      stop.abort();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Shows the run as it begins, and again whenever its phase changes; undefined without a conversation. */
export function watchProgress(
  { repository, github, log, input }: GitHubEnvironment,
  { id, task }: Pick<AttendedRun, 'id' | 'task'>,
  render: (task: Task, seen: readonly Phase[], runUrl: string) => string,
): Required<Pick<Attendance, 'onPhase' | 'close'>> | undefined {
  if (task.conversation === undefined) return undefined;
  const { conversation } = task;
  const comment = openProgressComment({ repository, github, log, conversation });
  const seen: Phase[] = ['INPUT'];
  const marker = requestMark(input, id);
  const show = () => comment.show({ body: render(task, seen, input.page), marker });
  show();
  return {
    onPhase: phase => {
      seen.push(phase);
      show();
    },
    close: () => comment.close(),
  };
}
