/** Why an MCP server is not used, or no longer; and what is wrong with values, by its schemas. */
import { type Code, codes } from '../base/codes.ts';
import { judgeBySchema, SchemaTimeout } from '../process/judge-schema.ts';

export type McpCode = Extract<Code, `MCP_${string}`>;

/** The end of a server: it is stopped, and none of its tools is offered any more. */
export class McpProblem extends Error {
  readonly code: McpCode;

  constructor(code: McpCode, detail: string) {
    super(`${code}: ${detail}. ${codes[code].hint}`);
    this.code = code;
  }
}

/**
 * What is wrong with the first of the values that does not match a schema of a server; undefined for nothing.
 * @throws McpProblem `MCP_SCHEMA_TIMEOUT` when the judgement takes too long or too much memory.
 * @throws Error for a schema that cannot be read.
 */
export async function judgeForServer(
  schema: object,
  values: readonly unknown[],
): Promise<string | undefined> {
  const judged = judgeBySchema({ schema, values, isStrict: false });
  const problems = await judged.catch((error: unknown) => {
    const isSlow = error instanceof SchemaTimeout;
    throw isSlow ? new McpProblem('MCP_SCHEMA_TIMEOUT', `a value ${error.message}`) : error;
  });
  const texts = problems.map(({ at, message }) => `data${at} ${message}`);
  return texts.length === 0 ? undefined : texts.join(', ');
}
