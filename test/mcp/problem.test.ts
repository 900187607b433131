import { expect, it } from 'vitest';
import { codes } from '../../src/base/codes.ts';
import { type McpCode, McpProblem } from '../../src/mcp/problem.ts';

it('a problem says its code, what happened and what to do', () => {
  const code = Object.keys(codes).find(name => name.startsWith('MCP_')) as McpCode;
  const problem = new McpProblem(code, 'it stopped');
  expect(problem.code).toBe(code);
  expect(problem.message).toBe(`${code}: it stopped. ${codes[code].hint}`);
});
