/** Judges values by the schemas of MCP servers, in a thread that is ended when a schema makes that take too long. */
import { Worker } from 'node:worker_threads';
import { oneAtATime } from '../base/once.ts';
import { McpProblem } from './problem.ts';
import type { SchemaReply, SchemaRequest, SchemaThreadData } from './schema-worker.ts';

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

/**
 * What is wrong with the first of the values that does not match; undefined for nothing.
 * @throws McpProblem `MCP_SCHEMA_TIMEOUT` when the judgement takes too long or too much memory.
 * @throws Error for a schema that cannot be read.
 */
export async function judgeBySchema(
  schema: object,
  values: readonly unknown[],
): Promise<string | undefined> {
  const judged = await inTurn(() => judge({ schema, values }));
  if (judged !== undefined) return judged.wrong;
  const why = `a value could not be judged by its schema within ${maxJudgeMs / 1000} s`;
  throw new McpProblem('MCP_SCHEMA_TIMEOUT', why);
}

/** Undefined for a request that took too long or too much memory. */
type Judged = { readonly wrong: string | undefined } | undefined;

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
    if (reply.kind === 'done') resolve({ wrong: reply.wrong });
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
