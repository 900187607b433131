/** The progress comment of a run: made at its start, updated as phases change, never in its way. */
import type { Conversation } from '../../task.ts';
import { marked, postComment } from '../api/comment.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { messageOf, statusOf } from '../api/github-errors.ts';

export interface ProgressRequest {
  readonly repository: string;
  readonly conversation: Conversation;
  /** Opened once the run goes; its mutations are a second apart. */
  readonly github: () => Promise<GitHub>;
  readonly log: (line: string) => void;
}

export interface ProgressText {
  readonly body: string;
  readonly marker: string;
}

export interface ProgressComment {
  /** Shows a text as soon as may be; a newer one takes its place while it waits. */
  show(text: ProgressText): void;
  /** No update is under way any more when this is done: at most a few seconds. */
  close(): Promise<void>;
}

/** Updates that fail in a row before it is given up. */
const maxFailures = 3;
/** Longest that the end of a run waits for an update that is under way. */
const closeMs = 3_000;

/** One request at a time; what fails is told in the log and fails nothing. */
export function openProgressComment(request: ProgressRequest): ProgressComment {
  const stop = new AbortController();
  let waiting: ProgressText | null = null;
  let work: Promise<void> | null = null;
  let id: number | null = null;
  let failures = 0;

  async function send(text: ProgressText): Promise<void> {
    const github = await request.github();
    const { repository, conversation } = request;
    const signal = AbortSignal.any([github.signal, stop.signal]);
    if (id === null)
      ({ id } = await postComment(github, { repository, conversation, signal, ...text }));
    else
      await github.rest.issues.updateComment({
        ...splitRepository(repository),
        comment_id: id,
        body: marked(text),
        request: { signal, retries: 0 },
      });
    failures = 0;
  }

  async function drain(): Promise<void> {
    while (waiting !== null && !stop.signal.aborted && failures < maxFailures) {
      const text = waiting;
      waiting = null;
      try {
        await send(text);
      } catch (error) {
        // a person deleted it: it is not put back before the run ends
        failures = statusOf(error) === 404 ? maxFailures : failures + 1;
        if (!stop.signal.aborted)
          request.log(`GitHub: the progress cannot be shown: ${messageOf(error)}`);
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
