/** Settings of the MCP servers whose tools skills may grant. */
import * as z from 'zod';
import { checkedBy, setting, texts } from './setting.ts';

const serverName = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;
const toolName = /^[\w./-]{1,64}$/;
const argument = () => z.string().regex(/^[A-Za-z_][\w-]{0,63}$/);

const effect = () =>
  z.union([
    z.literal('read-only'),
    z.strictObject({
      reads: z
        .array(argument())
        .max(10)
        .describe('Arguments that name a path of the repository that the tool reads.'),
    }),
  ]);

const server = () =>
  z.strictObject({
    command: texts(20, 300)
      .min(1)
      .describe('Program and arguments that start the server in the sandbox.'),
    toolsDigest: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .optional()
      .describe(
        'Digest of its tool list, as photon mcp digest NAME prints it. Without it, no tool is used.',
      ),
    tools: z
      .record(z.string().regex(toolName), effect())
      .describe(
        'The tools that skills may grant. None can change a file; list the arguments that name paths.',
      ),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(600)
      .optional()
      .describe('Maximum seconds for its start and for each call. Default 30.'),
    maxOutputBytes: z
      .int()
      .min(1_000)
      .max(10_000_000)
      .optional()
      .describe('Maximum bytes that it may print for one call. Default 1,000,000.'),
  });

/** What a tool reads: nothing of the repository by a path, or the paths that these arguments name. */
export type McpToolEffect = z.infer<ReturnType<typeof effect>>;
/** One MCP server of the configuration. */
export type McpServerSettings = z.infer<ReturnType<typeof server>>;

const servers = () =>
  z
    .record(z.string().max(24).regex(serverName), server())
    .refine(found => Object.keys(found).length <= 20, 'At most 20 servers.')
    .refine(
      found => new Set(mcpToolNames(found)).size === mcpToolNames(found).length,
      'Two tools have the same name for the model. Rename a server.',
    );

export const mcpSettings = {
  mcpServers: setting(checkedBy(servers), {
    key: 'mcp.servers',
    default: {},
    description:
      'MCP servers by name, whose tools a skill may grant as mcp:NAME/TOOL (docs/mcp.md). They run in the sandbox.',
  }),
} as const;

/** The names of all tools that a configuration lists. */
export function mcpToolNames(
  servers: Readonly<Record<string, McpServerSettings>>,
): readonly string[] {
  return Object.entries(servers).flatMap(([server, { tools }]) =>
    Object.keys(tools).map(tool => mcpToolName(server, tool)),
  );
}

/** The name by which the model calls a tool of a server; every endpoint and the instruction tags accept it. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp_${server}_${tool}`.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 64);
}
