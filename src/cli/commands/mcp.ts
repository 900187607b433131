/** `photon mcp`: a server of the Model Context Protocol on standard input and output, which only reads; and `photon mcp digest`. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { loadSettings } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import type { McpConnection } from '../../mcp/connection.ts';
import { McpProblem } from '../../mcp/problem.ts';
import { inspectServer } from '../../mcp/slot.ts';
import { describeTool, type ListedTool } from '../../mcp/tool-list.ts';
import { findTop } from '../../process/programs.ts';
import { openSandbox } from '../../sandbox/open-sandbox.ts';
import type { Settings } from '../../settings/settings.ts';
import { openRunFolder, withScratchFolder } from '../../workspace/files/run-folder.ts';
import { openGit } from '../../workspace/git/git.ts';
import { openSession } from '../../workspace/session/session.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import { openViews } from '../../workspace/views/view.ts';
import { resolveCheckout } from '../checkout.ts';
import { type Arguments, command, resolveRepo, shared, value } from '../command.ts';
import { findTerminalPrograms, readTerminalConfig, type Terminal } from '../terminal.ts';
import { type McpTool, mcpTools } from './mcp-tools.ts';

/** Maximum characters of one result. */
const maxChars = 200_000;

const options = {
  repo: shared.repo,
  out: value('<dir>', 'Folder with the results of runs (default: the repository)'),
  'sandbox-read': value(
    '<path,...>',
    'digest: further paths of the machine that the server may read',
  ),
  config: value('<file>', 'digest: configuration file (default: .photon/config.json)'),
};

export const mcp = command({
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

async function serveRepository({ values }: Arguments<typeof options>, terminal: Terminal) {
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

/**
 * Prints the digest and the tools of a server. Exit status 1 when it cannot be used as it is configured.
 * @throws PhotonError `USAGE` for a name that the configuration lacks.
 */
async function digest(
  { values, names: [name = ''], inputs }: Arguments<typeof options>,
  terminal: Terminal,
): Promise<number> {
  refuse(values, ['out']);
  const given = { ...inputs, config: values.config, 'sandbox-read': values['sandbox-read'] };
  const top = findTop(await resolveCheckout(values, terminal));
  const own = readTerminalConfig(terminal, top);
  const settings = await loadSettings(given, openFolderFiles(top), own);
  const server = settings.mcpServers[name];
  if (server === undefined) {
    const known = Object.keys(settings.mcpServers).join(', ') || 'none';
    throw new PhotonError('USAGE', `mcp.servers has no ${name}; it has: ${known}.`);
  }
  try {
    const { tools, digest } = await inspect(name, { settings, top, terminal });
    terminal.print(renderTools(tools, Object.keys(server.tools)));
    terminal.print(`"toolsDigest": "${digest}"\n`);
    const isPinned = server.toolsDigest === digest;
    terminal.tell(
      isPinned
        ? 'The configuration has this digest.\n'
        : `Read the list. If you agree with it, write this line into mcp.servers.${name}.\n`,
    );
    return isPinned ? 0 : 1;
  } catch (error) {
    if (!(error instanceof McpProblem)) throw error;
    terminal.tell(`${error.message}\n`);
    return 1;
  }
}

/** Starts the server as a run would, in the sandbox and with a copy of the checkout `top` that it cannot change. */
function inspect(
  name: string,
  { settings, top, terminal }: { settings: Settings; top: string; terminal: Terminal },
): Promise<Pick<McpConnection, 'tools' | 'digest'>> {
  return withScratchFolder(async root => {
    const { env, signal } = terminal;
    const programs = findTerminalPrograms(terminal, top);
    const folder = openRunFolder(root, 'mcp');
    const { scratch } = folder;
    const git = (await openGit(top, { scratch, programs })).showing(settings.commandReads);
    const sandbox = await openSandbox({
      mode: settings.sandbox,
      hosted: false,
      scratch,
      hidePaths: [],
      env,
      programs,
      token: `photon${randomBytes(8).toString('hex')}`,
      log: () => {},
      workspacePath: git.checkout,
      extraEnv: settings.commandEnv,
      readPaths: settings.commandReads,
      memoryBytes: settings.commandMemoryBytes,
      processes: settings.commandProcesses,
    });
    try {
      return await inspectServer(name, {
        servers: settings.mcpServers,
        sandbox: async () => sandbox,
        openView: openViews({ git, scratch, programs }),
        session: openSession(git),
        network: settings.network.commands === 'allow',
        signal,
        log: () => {},
      });
    } finally {
      await sandbox.close();
      git.close();
      folder.discard();
    }
  });
}

/** A line for each tool: whether the configuration lists it, and why the model cannot be offered it. */
function renderTools(tools: readonly ListedTool[], listed: readonly string[]): string {
  const lines = tools.map(tool => {
    const about = describeTool(tool);
    const state =
      'reason' in about
        ? `cannot be offered: ${about.reason}`
        : listed.includes(tool.name)
          ? 'in the configuration'
          : 'not in the configuration';
    const description = (tool.description ?? '').replace(/\s+/g, ' ').slice(0, 160);
    return `${tool.name} (${state})\n  ${description}\n`;
  });
  const missing = listed.filter(name => !tools.some(t => t.name === name));
  return [...lines, ...missing.map(name => `${name} (the server has no such tool)\n`)].join('');
}
