/** The messages of one MCP server: a line each, bounded in bytes and number, and only those that a client expects. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Running } from '../process/run-process.ts';
import { McpProblem } from './problem.ts';

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
  try {
    if (isDeeper(line, maxDepth)) return undefined;
    const parsed = JSONRPCMessageSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** True for JSON that is nested deeper than this. */
function isDeeper(json: string, most: number): boolean {
  let depth = 0;
  for (const [mark] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > most) return true;
  }
  return false;
}
