/** The MCP servers of a run: each starts in the sandbox when a skill needs it, and is cut off when it misbehaves. */
import { oneAtATime } from '../base/once.ts';
import { type McpServerSettings, mcpToolName } from '../settings/mcp.ts';
import type { McpReply } from './connection.ts';
import { judgeForServer, McpProblem } from './problem.ts';
import {
  type ConfiguredTool,
  connect,
  follow,
  type McpEvent,
  type McpLoss,
  type McpOptions,
  type McpRun,
  type OfferedTool,
  type Slot,
  slotFor,
} from './slot.ts';
import { describeTool, type ListedTool } from './tool-list.ts';

export interface McpServers {
  readonly tools: readonly ConfiguredTool[];
  offered(name: string): OfferedTool | undefined;
  /** Starts the servers of these tools. @returns those of the tools that cannot be used. */
  start(names: readonly string[]): Promise<readonly McpLoss[]>;
  /** What is wrong with the arguments of a call; undefined for nothing, and for a server that cannot be called. */
  judge(name: string, args: object): Promise<string | undefined>;
  /** Calls a tool, whose server sees the patch so far. @throws McpProblem when the server was cut off. */
  call(name: string, args: object): Promise<McpReply>;
  /** The tools that were lost since the last call. */
  takeLosses(): readonly McpLoss[];
  /** Whom to tell about starts and ends. */
  listen(listener: (event: McpEvent) => void): void;
  close(): Promise<void>;
}

function configuredTools(servers: Readonly<Record<string, McpServerSettings>>) {
  return Object.entries(servers).flatMap(([server, { tools }]) =>
    Object.entries(tools).map(([tool, effect]) => ({
      name: mcpToolName(server, tool),
      server,
      tool,
      effect,
    })),
  );
}

/** Opens the servers of a configuration. None starts before `start` names one of its tools. */
export function openMcpServers(options: McpOptions): McpServers {
  const tools = configuredTools(options.servers);
  const slots = Object.entries(options.servers).map(([name, settings]) =>
    slotFor(name, settings, tools),
  );
  const findSlot = (name: string) => slots.find(s => s.tools.some(t => t.name === name));
  const inTurn = oneAtATime();
  let tell: (event: McpEvent) => void = () => {};
  // told when the run waits for nothing, since a ledger that cannot be written ends the run
  const events: McpEvent[] = [];
  const flush = () => {
    for (const event of events.splice(0)) tell(event);
  };
  const losses: McpLoss[] = [];
  const run: McpRun = {
    options,
    tell: event => void events.push(event),
    lose: (slot, problem) => {
      if (slot.problem !== undefined) return;
      slot.problem = problem;
      slot.live?.cutOff(problem);
      options.log(`MCP server ${slot.name}: ${problem.message}`);
      losses.push({
        names: slot.tools.map(t => t.name),
        reason: `${slot.name}: ${problem.message}`,
      });
      run.tell({ kind: 'cut', server: slot.name, code: problem.code, facts: {} });
    },
  };
  const takeLosses = () => {
    flush();
    return losses.splice(0);
  };
  return {
    tools,
    takeLosses,
    listen: listener => {
      tell = listener;
    },
    offered: name => findSlot(name)?.offered.get(name),
    start: names =>
      inTurn(async () => {
        const wanted = slots.filter(s => s.tools.some(t => names.includes(t.name)));
        const found = await Promise.all(
          wanted.map(slot => {
            slot.started ??= startSlot(slot, run);
            return slot.started;
          }),
        );
        return [...found.flat(), ...takeLosses()];
      }),
    judge: async (name, args) => {
      const slot = findSlot(name);
      const schema = slot?.offered.get(name)?.inputSchema;
      if (slot === undefined || schema === undefined || slot.problem !== undefined)
        return undefined;
      try {
        return await judgeForServer(schema, [args]);
      } catch (error) {
        // the call that follows ends with this reason
        if (error instanceof McpProblem) run.lose(slot, error);
        return error instanceof McpProblem ? undefined : (error as Error).message;
      }
    },
    call: (name, args) =>
      inTurn(async () => {
        const slot = findSlot(name);
        const tool = slot?.tools.find(t => t.name === name);
        if (slot === undefined || tool === undefined)
          throw new McpProblem('MCP_UNAVAILABLE', `no server has ${name}`);
        if (slot.problem !== undefined) throw slot.problem;
        try {
          await follow(slot, await options.sandbox(), options);
          if (slot.live === undefined) throw new McpProblem('MCP_UNAVAILABLE', 'it does not run');
          return await slot.live.call(tool.tool, args, options.signal);
        } catch (error) {
          if (error instanceof McpProblem) run.lose(slot, error);
          throw error;
        } finally {
          flush();
        }
      }),
    close: async () => {
      flush();
      for (const slot of slots) {
        slot.problem ??= new McpProblem('MCP_SERVER_ENDED', 'the run has ended');
        await slot.live?.close();
        await slot.view?.close();
      }
    },
  };
}

/** Starts the server of a slot, and compares its tools with the configuration. */
async function startSlot(slot: Slot, run: McpRun): Promise<readonly McpLoss[]> {
  try {
    const { tools: listed } = await connect(slot, run);
    const losses: McpLoss[] = [];
    for (const { name, tool } of slot.tools) {
      const offered = await offer(listed.find(t => t.name === tool));
      if (typeof offered !== 'string') slot.offered.set(name, offered);
      else
        losses.push({
          names: [name],
          reason: `mcp:${slot.name}/${tool} is left out: ${offered}`,
        });
    }
    return losses;
  } catch (error) {
    if (!(error instanceof McpProblem)) throw error;
    run.lose(slot, error);
    return [];
  }
}

/** A tool as the model is described it, or why it is left out. @throws McpProblem when its schema takes too long. */
async function offer(tool: ListedTool | undefined): Promise<OfferedTool | string> {
  if (tool === undefined) return 'the server has no such tool';
  const described = describeTool(tool);
  if ('reason' in described) return described.reason;
  const { inputSchema } = tool;
  try {
    await judgeForServer(inputSchema, []);
    return { ...described, inputSchema };
  } catch (error) {
    if (error instanceof McpProblem) throw error;
    return 'its input schema cannot be read';
  }
}
