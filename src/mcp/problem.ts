/** Why an MCP server is not used, or no longer. */
import { type Code, codes } from '../base/codes.ts';

export type McpCode = Extract<Code, `MCP_${string}`>;

/** The end of a server: it is stopped, and none of its tools is offered any more. */
export class McpProblem extends Error {
  readonly code: McpCode;

  constructor(code: McpCode, detail: string) {
    super(`${code}: ${detail}. ${codes[code].hint}`);
    this.code = code;
  }
}
