/** A thread that computes on foreign data, one request after the other, and is ended when one takes too long. */
import { Worker } from 'node:worker_threads';
import { oneAtATime } from '../base/once.ts';

/** What the thread says of a request: that it begins, and then how that ended. */
export type ThreadReply =
  | { readonly kind: 'began' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly message: string };

/** Undefined for a request that took too long or too much memory, and for one that was not made. */
type ThreadAnswer = { readonly result: unknown } | undefined;

export interface ForeignThread {
  /**
   * Asks the thread one request at a time. `timeFor` is called when its turn comes: it gives the milliseconds that
   * the request may take from its beginning, or undefined not to make it.
   * @throws Error with the message of an error of the request.
   */
  ask(request: unknown, timeFor: () => number | undefined): Promise<ThreadAnswer>;
  /** Ends the thread. Requests that it has not answered by then, and later ones, get undefined. */
  close(): Promise<void>;
}

/** Memory of one thread for JavaScript values; a request that needs more ends as one that takes too long. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/**
 * Opens a thread, which starts with the first request, starts again after it was ended, and holds no process.
 * @param urlOf gives the address of its file: loaded at the start, since most runs need none of it.
 */
export function openForeignThread(urlOf: () => Promise<string>, workerData: object): ForeignThread {
  let starting: Promise<Worker> | undefined;
  let isClosed = false;
  const inTurn = oneAtATime();
  const start = async (): Promise<Worker> => {
    const url = new URL(await urlOf());
    const worker = new Worker(url, { workerData, env: {}, execArgv: [], resourceLimits });
    worker.on('error', () => {}); // a request that it ends learns of it by the exit
    worker.unref();
    return worker;
  };
  const take = async (request: unknown, ms: number | undefined): Promise<ThreadAnswer> => {
    if (ms === undefined || isClosed) return undefined;
    starting ??= start();
    const worker = await starting.catch(() => null); // a machine may allow no further thread
    if (worker === null) {
      starting = undefined;
      return undefined;
    }
    const answer = await awaitAnswer(worker, request, ms);
    if (answer === undefined) {
      starting = undefined;
      await worker.terminate();
    }
    return answer;
  };
  return {
    ask: (request, timeFor) => inTurn(() => take(request, timeFor())),
    close: async () => {
      isClosed = true;
      const worker = await starting?.catch(() => null);
      await worker?.terminate();
    },
  };
}

async function awaitAnswer(worker: Worker, request: unknown, ms: number): Promise<ThreadAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  let timer: NodeJS.Timeout | undefined;
  const give = (reply: ThreadReply) => {
    if (reply.kind === 'done') resolve({ result: reply.result });
    else if (reply.kind === 'failed') reject(new Error(reply.message));
    // an answer that arrived while this thread was busy counts: it is read before an immediate
    else timer = setTimeout(() => setImmediate(() => resolve(undefined)), ms);
  };
  const end = () => resolve(undefined);
  worker.on('message', give).once('exit', end);
  worker.ref();
  try {
    worker.postMessage(request); // throws for data that is nested too deep
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', give).off('exit', end);
    worker.unref();
  }
}
