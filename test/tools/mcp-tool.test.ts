import { expect, it } from 'vitest';
import type { McpServers } from '../../src/mcp/servers.ts';
import { toolsOfServers } from '../../src/tools/mcp-tool.ts';

it.each([null, [], 'text', 7])('arguments that are %j are refused, and reach no server', given => {
  const servers = {
    tools: [{ name: 'mcp_s_read', server: 's', tool: 'read', effect: { reads: ['path'] } }],
    offered: () => undefined,
  } as unknown as McpServers;
  const [tool] = toolsOfServers(servers);
  expect(tool?.parse(given)).toEqual({
    ok: false,
    problems: ['must be an object'],
  });
});
