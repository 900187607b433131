/** A scripted MCP server, as a file of a repository: it behaves, or breaks the protocol in one way. */
import { digestOfTools, type ListedTool } from '../../src/mcp/tool-list.ts';

/** How the server misbehaves; `good` does not. */
export type McpBehaviour =
  | 'good'
  | 'changes-tools'
  | 'lists-anew'
  | 'hangs'
  | 'hangs-at-start'
  | 'floods'
  | 'floods-messages'
  | 'malformed'
  | 'unknown-answer'
  | 'lies'
  | 'wrong-form'
  | 'asks'
  | 'exits'
  | 'forks'
  | 'hides'
  | SlowSchema
  | 'deep';

/** Schemas that take for ever: a pattern for arguments or results, a list of unique items, references to references. */
export type SlowSchema = 'slow-input' | 'slow-output' | 'slow-list' | 'slow-references';

/** The source of the server: `node server.mjs BEHAVIOUR`. It uses no package. */
export const mcpServerSource = String.raw`
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const mode = process.argv[2] ?? 'good';
const asks = process.argv[3] ?? '';
const text = { type: 'string' };
const object = (properties, required) => ({ type: 'object', properties, required });
const slow = { type: 'string', pattern: '^(a+)+$' };
const lines = { 'slow-output': slow, 'slow-list': { type: 'array', uniqueItems: true }, 'slow-references': { $ref: '#/$defs/d40' } };
const twice = n => ({ anyOf: [{ $ref: '#/$defs/d' + n }, { $ref: '#/$defs/d' + n }] });
const references = mode !== 'slow-references' ? {} : {
  $defs: Object.fromEntries([['d0', { type: 'boolean' }], ...Array.from({ length: 40 }, (_, n) => ['d' + (n + 1), twice(n)])]),
};
const tools = [
  { name: 'count', description: 'Count the lines of a file.', inputSchema: object({ path: mode === 'slow-input' ? slow : text }, ['path']), outputSchema: { ...object({ lines: lines[mode] ?? { type: 'integer' } }, ['lines']), ...references } },
  { name: 'try-write', description: 'Try to write a file.', inputSchema: object({ path: text }, ['path']) },
  { name: 'show', description: 'Show a text and the environment.', inputSchema: object({ text }, ['text']) },
  { name: 'strange', description: 'Has a schema that tags cannot express.', inputSchema: object({ 'a b': text }, []) },
];
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const answer = (id, result) => send({ id, result });
const say = text => ({ content: [{ type: 'text', text }] });

function count(path) {
  const lines = mode === 'slow-input' ? 0 : readFileSync(path, 'utf8').split('\n').length - 1;
  const hostile = { lies: () => 'many', 'slow-output': () => 'a'.repeat(60) + '!', 'slow-list': () => Array.from({ length: 80_000 }, (_, n) => [n]) };
  return { ...say(lines + ' lines'), structuredContent: { lines: hostile[mode]?.() ?? lines } };
}

function tryWrite(path) {
  try {
    writeFileSync(path, 'written');
    return say('written');
  } catch (error) {
    return { ...say(error.code), isError: true };
  }
}

const results = {
  count: ({ path }) => count(path),
  'try-write': ({ path }) => tryWrite(path),
  show: ({ text }) => say((mode === 'hides' ? '<!-- canary-in-a-comment --> <b title="canary-in-a-title">b</b> ' : '') + text + ' ' + Object.keys(process.env).sort().join(',')),
};

const misdeeds = {
  hangs: () => true,
  floods: () => process.stdout.write('x'.repeat(3_000_000)),
  'floods-messages': () => {
    for (let i = 0; i < 2_000; i++) send({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
    return true;
  },
  deep: ({ id }) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[],"structuredContent":{"lines":' + '['.repeat(100_000) + ']'.repeat(100_000) + '}}}\n'),
  malformed: () => process.stdout.write('this is a log line\n'),
  'unknown-answer': () => answer(4711, {}),
  'wrong-form': ({ id }) => {
    answer(id, { content: 'no list' });
    return true;
  },
  asks: () => {
    send({ id: 'a', method: asks, params: {} });
    return false;
  },
  exits: () => process.exit(3),
  'changes-tools': () => {
    send({ method: 'notifications/tools/list_changed' });
    return true;
  },
  forks: () => {
    spawn('sleep', ['7654.321'], { detached: true, stdio: 'ignore' }).unref();
    return false;
  },
};

createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (id === 'a') process.stderr.write('refused: ' + message.error.code + '\n');
  if (method === 'initialize' && mode !== 'hangs-at-start')
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'scripted', version: '1' },
    });
  if (mode === 'lists-anew') tools.push({ ...tools[0], name: 'more' + tools.length });
  if (method === 'tools/list') answer(id, { tools });
  if (method !== 'tools/call') return;
  if (misdeeds[mode]?.(message)) return;
  answer(id, results[params.name](params.arguments));
});
`;

/** The list that the scripted server states, in the order in which it does. */
function listed(mode: McpBehaviour): readonly ListedTool[] {
  const code = /const text =[\s\S]*?\n\];/.exec(mcpServerSource)?.[0] ?? '';
  return new Function('mode', `${code}; return tools;`)(mode) as readonly ListedTool[];
}

interface ServerSetting {
  readonly mode?: McpBehaviour;
  readonly more?: readonly string[];
  readonly digest?: string | null;
  readonly settings?: object;
}

const tools = {
  count: { reads: ['path'] },
  'try-write': 'read-only',
  show: 'read-only',
  strange: 'read-only',
};

function serverOf({ mode = 'good', more = [], digest, settings = {} }: ServerSetting) {
  const pinned = digest === undefined ? digestOfTools(listed(mode)) : digest;
  return {
    command: ['node', 'tools/server.mjs', mode, ...more],
    tools,
    ...(pinned === null ? {} : { toolsDigest: pinned }),
    ...settings,
  };
}

/** Servers of a repository, by name. */
export type McpServersOfTest = Readonly<Record<string, ServerSetting>>;

/** A repository with these servers, and a skill that grants all of their tools, or what `grants` names. */
export function mcpFiles(servers: McpServersOfTest = { lines: {} }, grants?: string) {
  const settings = Object.entries(servers).map(([name, setting]) => [name, serverOf(setting)]);
  const names = Object.keys(servers).flatMap(server =>
    Object.keys(tools).map(name => `mcp:${server}/${name}`),
  );
  return {
    'tools/server.mjs': mcpServerSource,
    '.photon/config.json': JSON.stringify({
      agent: { skillRoots: ['skills', 'photon:*'] },
      mcp: { servers: Object.fromEntries(settings) },
    }),
    'skills/counter/SKILL.md': `---\nname: counter\ndescription: Counts lines of files.\nallowed-tools: [${grants ?? names.join(', ')}]\n---\nCount with the server.\n`,
  };
}
