/** One MCP server of a run: its state, and how it is started. */
import { resolve } from 'node:path';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { McpServerSettings, McpToolEffect } from '../settings/mcp.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { Session } from '../workspace/session/session.ts';
import type { View, ViewSupport } from '../workspace/views/view.ts';
import type { ConnectionOptions, McpConnection } from './connection.ts';
import { type McpCode, McpProblem } from './problem.ts';

export interface McpOptions {
  readonly servers: Readonly<Record<string, McpServerSettings>>;
  readonly sandbox: () => Promise<Sandbox>;
  /** Opens a view of the checkout with these changes. */
  readonly openView: (support: ViewSupport, changes: readonly FileChange[]) => Promise<View>;
  readonly session: Session;
  /** True when commands of the project may use the network. */
  readonly network: boolean;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface ConfiguredTool {
  /** The name by which the model calls it. */
  readonly name: string;
  readonly server: string;
  /** Its name at the server. */
  readonly tool: string;
  readonly effect: McpToolEffect;
}

/** What the model is described of a tool whose server runs. */
export interface OfferedTool {
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The schema of the server as it is, which its arguments are judged by. */
  readonly inputSchema: object;
}

/** Tools that can no longer be used, and why. */
export interface McpLoss {
  readonly names: readonly string[];
  readonly reason: string;
}

/** Something that the ledger records: the start of a server, its end, or a request that it made. */
export interface McpEvent {
  readonly kind: 'start' | 'cut' | 'refused';
  readonly server: string;
  readonly code: McpCode | undefined;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

export interface Slot {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly tools: readonly ConfiguredTool[];
  readonly offered: Map<string, OfferedTool>;
  started: Promise<readonly McpLoss[]> | undefined;
  view: View | undefined;
  live: McpConnection | undefined;
  problem: McpProblem | undefined;
}

export interface McpRun {
  readonly options: McpOptions;
  readonly tell: (event: McpEvent) => void;
  readonly lose: (slot: Slot, problem: McpProblem) => void;
}

/** Starts the server and requires its tools to be the pinned ones. @throws McpProblem when it cannot be used. */
export async function connect(slot: Slot, run: McpRun): Promise<McpConnection> {
  const { toolsDigest = '' } = slot.settings;
  const connection = await launch(slot, run);
  const { tools, digest } = connection;
  if (digest !== toolsDigest) {
    await connection.close();
    const pinned = toolsDigest === '' ? 'no toolsDigest' : toolsDigest.slice(0, 19);
    throw new McpProblem(
      'MCP_TOOLS_CHANGED',
      `the configuration has ${pinned}, and its tools have ${digest.slice(0, 19)}`,
    );
  }
  slot.live = connection;
  const facts = { tools: tools.length, digest };
  run.tell({ kind: 'start', server: slot.name, code: undefined, facts });
  return connection;
}

/** Starts the server whatever its tools are; it cannot write the tree. @throws McpProblem. */
async function launch(slot: Slot, run: McpRun) {
  const { options } = run;
  const { settings, name } = slot;
  const sandbox = await options.sandbox();
  // without isolation the server would see the checkout itself, and could write there
  if (sandbox.launcher === 'plain')
    throw new McpProblem('MCP_UNAVAILABLE', 'there is no sandbox for it');
  requireUnchanged(slot, options.session);
  const view = await follow(slot, sandbox, options);
  const { network, signal } = options;
  const caller = 'mcp_server';
  const argv = settings.command;
  const running = sandbox.start({ caller, argv, view, cwd: '.', network, readOnly: true });
  const about: ConnectionOptions = {
    running,
    maxBytes: settings.maxOutputBytes ?? 1_000_000,
    timeoutMs: (settings.timeoutSeconds ?? 30) * 1000,
    signal,
    onRefused: method =>
      run.tell({ kind: 'refused', server: name, code: 'MCP_REQUEST_REFUSED', facts: { method } }),
    // one that starts has an error to throw
    onProblem: problem => {
      if (slot.live !== undefined) run.lose(slot, problem);
    },
  };
  const { connectServer } = await import('./connection.ts');
  return connectServer(about);
}

/**
 * Starts one server, reads its tools, and ends it: for the maintainer who pins them.
 * @throws McpProblem when it cannot be started.
 */
export async function inspectServer(
  name: string,
  options: McpOptions,
): Promise<Pick<McpConnection, 'tools' | 'digest'>> {
  const settings = new Map(Object.entries(options.servers)).get(name);
  if (settings === undefined)
    throw new McpProblem('MCP_UNAVAILABLE', `no server has the name ${name}`);
  const slot = slotFor(name, settings, []);
  const run = { options, tell: () => {}, lose: () => {} };
  try {
    const connection = await launch(slot, run);
    await connection.close();
    return connection;
  } finally {
    await slot.view?.close();
  }
}

export function slotFor(
  name: string,
  settings: McpServerSettings,
  tools: readonly ConfiguredTool[],
): Slot {
  return {
    name,
    settings,
    tools: tools.filter(t => t.server === name),
    offered: new Map(),
    started: undefined,
    view: undefined,
    live: undefined,
    problem: undefined,
  };
}

/** @throws McpProblem when the patch of the run changes a file that the command names. */
function requireUnchanged({ settings }: Slot, session: Session): void {
  const { checkout } = session.git;
  const own = settings.command.map(word => resolve(checkout, word));
  const isOwn = (path: string) => own.includes(resolve(checkout, path));
  const changed = session.changes().find(c => isOwn(c.path));
  if (changed !== undefined)
    throw new McpProblem(
      'MCP_UNAVAILABLE',
      `the patch changes ${changed.path}, which it is started from`,
    );
}

/** Brings the copy that the server sees to the state of the session. */
export async function follow(
  slot: Slot,
  sandbox: Sandbox,
  { openView, session }: McpOptions,
): Promise<View> {
  // a copy, since the files of a mounted overlay must not be changed from outside while a server runs
  slot.view ??= await openView({ ...sandbox.support, overlay: undefined }, []);
  const gone = session.changes().filter(c => c.after === undefined);
  await slot.view.place(new Map(gone.map(c => [c.path, undefined])));
  await slot.view.sync(await session.tree());
  return slot.view;
}
