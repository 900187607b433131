/** Judges values by the schemas of MCP servers, in a thread that is ended when a schema makes that take too long. */
import { type ForeignThread, openForeignThread } from '../process/foreign-thread.ts';
import { McpProblem } from './problem.ts';
import type { SchemaRequest, SchemaThreadData } from './schema-worker.ts';

/** Longest that one judgement may take. Schemas and values of 1 MB take well below a second. */
const maxJudgeMs = 5_000;

/** One thread for all runs of a process. It keeps nothing between two requests. */
let thread: ForeignThread | undefined;

/**
 * What is wrong with the first of the values that does not match; undefined for nothing.
 * @throws McpProblem `MCP_SCHEMA_TIMEOUT` when the judgement takes too long or too much memory.
 * @throws Error for a schema that cannot be read.
 */
export async function judgeBySchema(
  schema: object,
  values: readonly unknown[],
): Promise<string | undefined> {
  const data: SchemaThreadData = { judgesSchemas: true };
  const loadWorkerUrl = async () => (await import('./schema-worker.ts')).schemaWorkerUrl;
  thread ??= openForeignThread(loadWorkerUrl, data);
  const request: SchemaRequest = { schema, values };
  const answer = await thread.ask(request, () => maxJudgeMs);
  if (answer !== undefined) return (answer.result as string | null) ?? undefined;
  const why = `a value could not be judged by its schema within ${maxJudgeMs / 1000} s`;
  throw new McpProblem('MCP_SCHEMA_TIMEOUT', why);
}
