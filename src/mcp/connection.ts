/** A connection to one running MCP server: the client of the official SDK over bounded messages. Loaded when a skill needs it. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsResultSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { isShallow, parseJson } from '../base/schema-issue.ts';
import type { Running } from '../process/run-process.ts';
import { judgeForServer, McpProblem } from './problem.ts';
import { digestOfTools, type ListedTool } from './tool-list.ts';

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
        if (error instanceof McpError)
          return { text: error.message.slice(0, 2_000), isError: true };
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
    (await judgeForServer(tool.outputSchema, [content]).catch(wrong)) === undefined;
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

export interface TransportOptions {
  readonly running: Running;
  /** Maximum bytes that the server may print between two calls of `begin`. */
  readonly maxBytes: number;
  /** Called with the method of each request that the server makes and that is refused. */
  readonly onRefused: (method: string) => void;
  /** Called once, when the server is cut off. */
  readonly onProblem: (problem: McpProblem) => void;
}

/** Maximum messages that a server may send for one call. */
const maxMessages = 1000;

/** The requests of servers that the protocol knows; others are not named, since the ledger keeps no foreign text. */
const askedBefore: ReadonlySet<string> = new Set([
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
]);

/** A transport of the SDK over the streams of a program in the sandbox. */
export class BoundedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the server was cut off; undefined while it is in use. */
  problem: McpProblem | undefined = undefined;
  readonly #options: TransportOptions;
  readonly #waiting = new Set<string | number>();
  #bytes = 0;
  #messages = 0;
  #rest: Buffer[] = [];
  #isPinned = false;
  #isClosed = false;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** From here on, the tools of the server must stay as they are. */
  pinTools(): void {
    this.#isPinned = true;
  }

  /** Begins a call: what the server prints counts anew. */
  begin(): void {
    this.#bytes = 0;
    this.#messages = 0;
  }

  async start(): Promise<void> {
    const { output } = this.#options.running;
    output.on('data', (chunk: Buffer) => this.#take(chunk));
    output.on('close', () => this.#end());
    output.on('error', () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) this.#waiting.add(message.id);
    this.#options.running.input.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#options.running.stop();
    this.#shut();
  }

  cutOff(problem: McpProblem): void {
    if (this.problem !== undefined || this.#isClosed) return;
    this.problem = problem;
    this.#options.onProblem(problem);
    this.#options.running.stop();
    this.#shut();
  }

  #end(): void {
    this.cutOff(new McpProblem('MCP_SERVER_ENDED', 'it closed its output'));
  }

  #shut(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rest = [];
    this.onclose?.();
  }

  #take(chunk: Buffer): void {
    if (this.#isClosed) return;
    const { maxBytes } = this.#options;
    this.#bytes += chunk.length;
    if (this.#bytes > maxBytes) {
      const most = maxBytes.toLocaleString('en');
      this.cutOff(new McpProblem('MCP_FLOOD', `it printed more than ${most} bytes for one call`));
      return;
    }
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, at)]).toString('utf8');
      this.#rest = [];
      from = at + 1;
      if (line.trim() !== '') this.#read(line);
      if (this.#isClosed) return;
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
  }

  #read(line: string): void {
    this.#messages += 1;
    if (this.#messages > maxMessages) {
      const why = `it sent more than ${maxMessages} messages for one call`;
      this.cutOff(new McpProblem('MCP_FLOOD', why));
      return;
    }
    const message = parseMessage(line);
    if (message === undefined) {
      const why = 'it printed a line that is no JSON-RPC message';
      this.cutOff(new McpProblem('MCP_MESSAGE_INVALID', why));
    } else if ('method' in message) this.#takeRequest(message);
    else if (message.id !== undefined && this.#waiting.delete(message.id))
      this.onmessage?.(message);
    else
      this.cutOff(
        new McpProblem('MCP_MESSAGE_INVALID', 'it answered a request that was never made'),
      );
  }

  /** A server may ask nothing but for a sign of life, and of its notifications only one matters. */
  #takeRequest(message: Extract<JSONRPCMessage, { method: string }>): void {
    const { method } = message;
    if (!('id' in message)) {
      if (method === 'notifications/tools/list_changed' && this.#isPinned)
        this.cutOff(new McpProblem('MCP_TOOLS_CHANGED', 'it announced other tools during the run'));
      return;
    }
    if (method === 'ping') {
      this.onmessage?.(message);
      return;
    }
    this.#options.onRefused(askedBefore.has(method) ? method : 'other');
    const error = { code: -32601, message: 'This client does not serve requests of servers.' };
    void this.send({ jsonrpc: '2.0', id: message.id, error });
  }
}

/** Levels of lists and objects in a message: what reads them calls itself for each. */
const maxDepth = 200;

function parseMessage(line: string): JSONRPCMessage | undefined {
  const message = parseJson(line);
  return isShallow(message, maxDepth) ? JSONRPCMessageSchema.safeParse(message).data : undefined;
}
