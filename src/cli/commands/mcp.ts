/** `photon mcp`: a server of the Model Context Protocol on standard input and output, which only reads; and `photon mcp digest`. */
import { resolve } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { PhotonError } from '../../base/codes.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { type Arguments, command, repoOption, resolveRepo, value } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { printDigest } from './mcp-digest.ts';
import { type McpTool, mcpTools } from './mcp-tools.ts';

/** Maximum characters of one result. */
const maxChars = 200_000;

const options = {
  repo: repoOption,
  out: value('<dir>', 'Folder with the results of runs (default: the repository)'),
  'sandbox-read': value(
    '<path,...>',
    'digest: further paths of the machine that the server may read',
  ),
  config: value('<file>', 'digest: configuration file (default: .photon/config.json)'),
};

export const mcp = command({
  about: 'Serve constitution, manifest, skills, outcomes and audits to agents over MCP, read-only.',
  options,
  usage: [
    ['[flags]', '', serveRepository],
    [
      'digest <name> [flags]',
      'Print the tools of a server of mcp.servers, and their digest',
      digest,
    ],
  ],
  examples: [
    'photon mcp --repo ../shop',
    'photon mcp digest files',
    'claude mcp add photon -- photon mcp',
  ],
});

/** @throws PhotonError `USAGE` for an option that only the other form takes. */
function refuse(values: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const wrong = names.find(name => values[name] !== undefined);
  if (wrong !== undefined) throw new PhotonError('USAGE', `There is no option --${wrong} here.`);
}

function digest(given: Arguments<typeof options>, terminal: Terminal): Promise<number> {
  refuse(given.values, ['out']);
  return printDigest(given, terminal);
}

async function serveRepository(
  { values }: Arguments<typeof options>,
  terminal: Terminal,
): Promise<number> {
  refuse(values, ['sandbox-read', 'config']);
  const repo = resolveRepo(values);
  const shipped = openShipped(terminal.root);
  const server = new McpServer(
    { name: 'photon', version: shipped.version },
    {
      instructions:
        'Call get_constitution before you change this repository: it holds the rules in force and the artifacts of its workflow. Read only the artifacts that your task needs.',
    },
  );
  const pending = new Set<Promise<unknown>>();
  const out = values.out === undefined ? repo : resolve(values.out);
  for (const tool of mcpTools({ repo, out, shipped })) register(server, tool, pending);
  await serve(server, pending, terminal);
  return 0;
}

/** Serves requests until the client closes standard input, or the user stops the command. */
async function serve(
  server: McpServer,
  pending: ReadonlySet<Promise<unknown>>,
  { signal }: Terminal,
): Promise<void> {
  const ended = new Promise<void>(end => {
    const { stdin, stdout } = process;
    for (const event of ['end', 'close', 'error']) stdin.once(event, end);
    stdout.once('error', end);
    signal.addEventListener('abort', () => end());
  });
  await server.connect(new StdioServerTransport());
  await ended;
  // a client may close its end right after its last request
  await new Promise(setImmediate);
  await Promise.allSettled(pending);
  await server.close();
}

function register(
  server: McpServer,
  { name, title, description, input, run }: McpTool,
  pending: Set<Promise<unknown>>,
): void {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const about = { title, description, inputSchema: input, annotations };
  server.registerTool(name, about, async given => {
    const work = run(given).then(makeResult, makeFailure);
    pending.add(work);
    return work.finally(() => pending.delete(work));
  });
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** Text as it is, and data as JSON; what exceeds the limit is cut, and the end says so. */
function makeResult(result: string | Readonly<Record<string, unknown>>) {
  const isText = typeof result === 'string';
  const text = isText ? result : JSON.stringify(result, null, 2);
  if (text.length > maxChars)
    return textResult(`${text.slice(0, maxChars)}\n[cut after ${maxChars} characters]`);
  return isText ? textResult(text) : { ...textResult(text), structuredContent: { ...result } };
}

function makeFailure(error: unknown) {
  const text =
    error instanceof PhotonError
      ? `${error.code}: ${error.message}\nWhat to do: ${error.hint}`
      : `INTERNAL: ${error instanceof Error ? error.message : String(error)}`;
  return { ...textResult(text), isError: true };
}
