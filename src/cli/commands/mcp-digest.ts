/** `photon mcp digest NAME`: starts a server of the configuration in the sandbox, and prints its tools with their digest. */
import { randomBytes } from 'node:crypto';
import { loadSettings } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import type { McpConnection } from '../../mcp/connection.ts';
import { McpProblem } from '../../mcp/problem.ts';
import { inspectServer } from '../../mcp/slot.ts';
import { describeTool, type ListedTool } from '../../mcp/tool-list.ts';
import { findPrograms, findTop } from '../../process/programs.ts';
import { openSandbox } from '../../sandbox/open-sandbox.ts';
import type { Settings } from '../../settings/settings.ts';
import { openRunFolder, withScratchFolder } from '../../workspace/files/run-folder.ts';
import { openGit } from '../../workspace/git/git.ts';
import { openSession } from '../../workspace/session/session.ts';
import { readOwnConfig } from '../../workspace/trusted/own-config.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import { openViews } from '../../workspace/views/view.ts';
import { requireNamedConfig, resolveCheckout } from '../checkout.ts';
import type { Arguments } from '../command.ts';
import type { Terminal } from '../terminal.ts';

interface DigestValues {
  readonly repo?: string;
  readonly config?: string;
  readonly 'sandbox-read'?: string;
}

/**
 * Prints the digest and the tools of a server. Exit status 1 when it cannot be used as it is configured.
 * @throws PhotonError `USAGE` for a name that the configuration lacks.
 */
export async function printDigest(
  {
    values,
    names: [name = ''],
    inputs,
  }: Pick<Arguments, 'names' | 'inputs'> & { readonly values: DigestValues },
  terminal: Terminal,
): Promise<number> {
  const given = { ...inputs, config: values.config, 'sandbox-read': values['sandbox-read'] };
  const top = findTop(await resolveCheckout(values, terminal));
  await requireNamedConfig(values, openFolderFiles(top));
  const own = readOwnConfig(terminal.env, top);
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

interface DigestContext {
  readonly settings: Settings;
  /** The checkout. */
  readonly top: string;
  readonly terminal: Terminal;
}

/** Starts the server as a run would, in the sandbox and with a copy of the checkout that it cannot change. */
function inspect(
  name: string,
  inspected: DigestContext,
): Promise<Pick<McpConnection, 'tools' | 'digest'>> {
  return withScratchFolder(root => inspectFrom(root, name, inspected));
}

async function inspectFrom(
  root: string,
  name: string,
  { settings, top, terminal }: DigestContext,
): Promise<Pick<McpConnection, 'tools' | 'digest'>> {
  const { env, signal } = terminal;
  const programs = findPrograms(env.PATH ?? '', [top]);
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
