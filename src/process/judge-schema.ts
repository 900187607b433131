/** Judges values by foreign schemas, in a thread that is ended when a schema makes that take too long. */
import { Worker } from 'node:worker_threads';
import { oneAtATime } from '../base/once.ts';
import type {
  SchemaProblem,
  SchemaReply,
  SchemaRequest,
  SchemaThreadData,
} from './schema-worker.ts';

/** Longest that one judgement may take from its beginning. Schemas and values of 1 MB take well below a second. */
const maxJudgeMs = 5_000;

/** Memory of the thread for JavaScript values; a judgement that needs more ends as one that takes too long. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/**
 * One thread for all runs of a process, which does not keep the process. It starts with the first judgement, and again
 * after it was ended, and keeps nothing between two requests.
 */
let thread: Promise<Worker> | undefined;

const inTurn = oneAtATime();

/** A judgement that took too long or too much memory. */
export class SchemaTimeout extends Error {
  constructor() {
    super(`could not be judged by the schema within ${maxJudgeMs / 1000} s`);
  }
}

/**
 * What is wrong with the first of the values that does not match; empty for nothing. Without values, it says whether the
 * schema can be read.
 * @throws SchemaTimeout
 * @throws Error for a schema that cannot be read.
 */
export async function judgeBySchema(request: SchemaRequest): Promise<readonly SchemaProblem[]> {
  const problems = await inTurn(() => judge(request));
  if (problems === undefined) throw new SchemaTimeout();
  return problems;
}

/** Undefined for a request that took too long or too much memory. */
type Judged = readonly SchemaProblem[] | undefined;

async function judge(request: SchemaRequest): Promise<Judged> {
  thread ??= startThread();
  const worker = await thread.catch(() => undefined); // a machine may allow no further thread
  const judged = worker && (await awaitReply(worker, request));
  if (judged === undefined) {
    thread = undefined;
    await worker?.terminate();
  }
  return judged;
}

async function startThread(): Promise<Worker> {
  // most runs need none of it
  const { schemaWorkerUrl } = await import('./schema-worker.ts');
  const workerData: SchemaThreadData = { judgesSchemas: true };
  const options = { workerData, env: {}, execArgv: [], resourceLimits };
  const worker = new Worker(new URL(schemaWorkerUrl), options);
  worker.on('error', () => {}); // a request that it ends learns of it by the exit
  worker.unref();
  return worker;
}

async function awaitReply(worker: Worker, request: SchemaRequest): Promise<Judged> {
  const { promise, resolve, reject } = Promise.withResolvers<Judged>();
  let timer: NodeJS.Timeout | undefined;
  const take = (reply: SchemaReply) => {
    if (reply.kind === 'done') resolve(reply.problems);
    else if (reply.kind === 'failed') reject(new Error(reply.message));
    // an answer that arrived while this thread was busy counts: it is read before an immediate
    else timer = setTimeout(() => setImmediate(() => resolve(undefined)), maxJudgeMs);
  };
  const end = () => resolve(undefined);
  worker.on('message', take).once('exit', end);
  worker.ref();
  try {
    worker.postMessage(request); // throws for data that is nested too deep
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', take).off('exit', end);
    worker.unref();
  }
}
