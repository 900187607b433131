/** A connection to one running MCP server, through the client of the official SDK. Loaded when a skill needs it. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ListToolsResultSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { judgeBySchema } from './judge-schema.ts';
import { McpProblem } from './problem.ts';
import { digestOfTools, type ListedTool } from './tool-list.ts';
import { BoundedTransport, type TransportOptions } from './transport.ts';

export interface ConnectionOptions extends TransportOptions {
  /** For the start, and for each call. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A server that has stated its tools. */
export interface McpConnection {
  readonly tools: readonly ListedTool[];
  readonly digest: string;
  /** Calls a tool. @throws McpProblem when the server was cut off; it is stopped then. */
  call(name: string, args: object, signal: AbortSignal): Promise<McpReply>;
  cutOff(problem: McpProblem): void;
  /** Ends the server and everything that it started. */
  close(): Promise<void>;
}

/** The reply to a call: its text, or the error that the tool reports. */
export interface McpReply {
  readonly text: string;
  readonly isError: boolean;
}

const maxPages = 20;
const maxTools = 500;

/** Greets the server and reads its tools. @throws McpProblem when that fails; the server is stopped then. */
export async function connectServer(options: ConnectionOptions): Promise<McpConnection> {
  const transport = new BoundedTransport(options);
  const client = new Client({ name: 'photon', version: '2' }, { capabilities: {} });
  const limits = (signal: AbortSignal) => ({ timeout: options.timeoutMs, signal });
  /** Awaits a reply; what is no reply of a tool ends the server. */
  const settle = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof McpError && isAnswer(error) && transport.problem === undefined)
        throw error;
      const problem = transport.problem ?? toMcpProblem(error, options);
      transport.cutOff(problem);
      throw problem;
    }
  };
  const start = async () => {
    await client.connect(transport, limits(options.signal));
    return listSettled(client, limits(options.signal));
  };
  const tools = await settle(start(), options.signal).catch(error => {
    options.running.stop();
    const hasEnded = error instanceof McpProblem && error.code === 'MCP_SERVER_ENDED';
    if (hasEnded) throw new McpProblem('MCP_UNAVAILABLE', 'it ended before it stated its tools');
    const why = 'it answered its greeting or the request for its tools with an error';
    throw error instanceof McpError ? new McpProblem('MCP_UNAVAILABLE', why) : error;
  });
  transport.pinTools();
  return {
    tools,
    digest: digestOfTools(tools),
    call: async (name, args, signal) => {
      if (transport.problem !== undefined) throw transport.problem;
      transport.begin();
      const params = { name, arguments: { ...args } };
      const request = client.request(
        { method: 'tools/call', params },
        CallToolResultSchema,
        limits(signal),
      );
      try {
        const result = await settle(request, signal);
        await requireSchema(
          tools.find(t => t.name === name),
          result,
        );
        return { text: renderText(result), isError: result.isError === true };
      } catch (error) {
        if (error instanceof McpProblem) transport.cutOff(error);
        if (error instanceof McpError) return { text: plain(error), isError: true };
        throw error;
      }
    },
    cutOff: problem => transport.cutOff(problem),
    close: async () => {
      await client.close();
      await options.running.ended;
    },
  };
}

type Limits = Readonly<{ timeout: number; signal: AbortSignal }>;

/** Maximum times that the tools are listed before they must be the same twice in a row. */
const maxLists = 4;

/** The tools when two lists in a row are the same: some servers add tools right after their start. */
async function listSettled(client: Client, limits: Limits): Promise<readonly ListedTool[]> {
  let last = await listTools(client, limits);
  for (let n = 1; n < maxLists; n++) {
    const next = await listTools(client, limits);
    if (digestOfTools(next) === digestOfTools(last)) return next;
    last = next;
  }
  throw new McpProblem(
    'MCP_TOOLS_CHANGED',
    'each of its lists has other tools than the one before',
  );
}

async function listTools(client: Client, limits: Limits): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && tools.length <= maxTools; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const found = await client.request(
      { method: 'tools/list', params },
      ListToolsResultSchema,
      limits,
    );
    tools.push(...found.tools);
    cursor = found.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new McpProblem('MCP_FLOOD', `it lists more than ${maxTools} tools or ${maxPages} pages`);
}

const timedOut = -32001;
const connectionClosed = -32000;

/** True for an error that the server itself gave as the answer to a request. */
function isAnswer({ code }: McpError): boolean {
  return code !== timedOut && code !== connectionClosed;
}

function toMcpProblem(error: unknown, { timeoutMs }: ConnectionOptions): McpProblem {
  if (error instanceof McpProblem) return error;
  if (error instanceof McpError)
    return error.code === timedOut
      ? new McpProblem('MCP_TIMEOUT', `it did not answer within ${timeoutMs / 1000} s`)
      : new McpProblem('MCP_SERVER_ENDED', 'it closed its output');
  return new McpProblem('MCP_RESULT_INVALID', 'a result does not have the form of the protocol');
}

function plain(error: McpError): string {
  return error.message.slice(0, 2_000);
}

/** @throws McpProblem when structured content is missing or does not match the schema that the tool states. */
async function requireSchema(tool: ListedTool | undefined, result: CallToolResult): Promise<void> {
  if (tool?.outputSchema === undefined || result.isError === true) return;
  const content = result.structuredContent;
  const wrong = (error: unknown) => {
    if (error instanceof McpProblem) throw error;
    return 'the schema cannot be read';
  };
  const isRight =
    content !== undefined &&
    (await judgeBySchema(tool.outputSchema, [content]).catch(wrong)) === undefined;
  if (isRight) return;
  const why = `the result of ${tool.name} does not match its output schema`;
  throw new McpProblem('MCP_RESULT_INVALID', why);
}

/** The parts of a result that are text; the others are named. */
function renderText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(part => {
    if (part.type === 'text') return part.text;
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text;
    return `[${part.type}: not shown, because it is no text]`;
  });
  if (parts.length === 0 && structuredContent !== undefined)
    return JSON.stringify(structuredContent);
  return parts.join('\n');
}
