import { expect, it } from 'vitest';
import { inspectServer, type McpOptions } from '../../src/mcp/slot.ts';

it.each(['notes', 'constructor'])('%s is no server of an empty configuration', async name => {
  const options = { servers: {} } as McpOptions;
  await expect(inspectServer(name, options)).rejects.toMatchObject({ code: 'MCP_UNAVAILABLE' });
});
