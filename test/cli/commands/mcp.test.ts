/** `photon mcp` as a process, called by the client of the official SDK. */
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkflowStage } from '../../doubles/workflow-stage.ts';
import { fingerprint } from '../../harness.ts';
import { root } from '../../root.ts';

const program = join(root, 'dist', 'photon.js');
const stage = new WorkflowStage();
const out = join(stage.folder, 'out');
let client: Client;

beforeAll(async () => {
  stage.tasks = [
    { id: 'requirements', path: 'docs/a&b.md', description: 'Requirements' },
    { id: 'design', needs: ['requirements'], path: 'docs/design.md', description: 'Design' },
  ];
  Object.assign(stage.files, {
    'constitution.md': '---\nlimits: { read_lines: 120 }\n---\n# Law\n\nRound to whole cents.\n',
    'src/constitution.md': '---\nprotected_paths: [keep.js]\n---\nNo floats in here.\n',
  });
  stage.prepare();
  const ran = await stage.run(['--out', out]);
  expect(ran.code, ran.err).toBe(0);
  stage.git('merge', '-q', stage.branch);
  writeFileSync(join(stage.folder, 'outcome.json'), '{}');
  symlinkSync(stage.folder, join(out, 'link'));
  client = await connect(['--repo', stage.repo, '--out', out]);
}, 300_000);

afterAll(async () => {
  await client?.close();
  expect(stage.close()).toEqual([]);
});

async function connect(args: readonly string[]): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env: getDefaultEnvironment(),
    stderr: 'ignore',
  });
  await made.connect(transport);
  return made;
}

interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function call(name: string, given: Readonly<Record<string, unknown>> = {}) {
  const { content, structuredContent, isError } = await client.callTool({
    name,
    arguments: { ...given },
  });
  const [first] = content as readonly { readonly text: string }[];
  const data = (structuredContent ?? {}) as ToolResult['data'];
  return { text: first?.text ?? '', data, isError: isError === true } satisfies ToolResult;
}

const manifest = [
  {
    id: 'requirements',
    status: 'COMPLETED',
    outputs: [{ description: 'Requirements', path: 'docs/a&b.md' }],
  },
  {
    id: 'design',
    status: 'COMPLETED',
    outputs: [{ description: 'Design', path: 'docs/design.md' }],
  },
];

describe('photon mcp', () => {
  it('lists tools that only read, each with a description', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(t => t.name)).toEqual([
      'get_constitution',
      'get_manifest',
      'list_skills',
      'get_skill',
      'get_outcome',
      'audit',
    ]);
    for (const tool of tools) {
      expect(tool.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
      expect(tool.description?.length).toBeGreaterThan(40);
    }
    expect(client.getServerVersion()).toMatchObject({ name: 'photon' });
  });

  it('returns the merged constitution with the current manifest', async () => {
    const { text } = await call('get_constitution');
    expect(text).toMatch(/^---\nversion: "2\.0"\n/);
    expect(text).toContain('  read_lines: 120\n');
    expect(text).toContain('# Constitution of Photon');
    expect(text).toContain('Round to whole cents.');
    expect(text).toContain('## Workflow Artifacts\n<!-- AUTO-GENERATED');
    expect(text).toContain('| design | Design | docs/design.md | COMPLETED |');
    expect(text.match(/## Workflow Artifacts/g)).toHaveLength(1);
    expect(text).not.toContain('No floats in here.');
    const inner = await call('get_constitution', { folder: 'src' });
    expect(inner.text).toContain('No floats in here.');
    expect(inner.text).toContain('- src/**/keep.js\n');
  });

  it('returns the manifest as data, from the file and from the state of a workflow', async () => {
    const { data, text } = await call('get_manifest');
    expect(data).toEqual({ source: 'constitution.md', workflows: ['flow'], tasks: manifest });
    expect(JSON.parse(text)).toEqual(data);
    const ofState = await call('get_manifest', { workflow: 'flow' });
    expect(ofState.data).toMatchObject({ source: stage.branch, tasks: manifest });
  });

  it('lists the allowed skills, and shows one', async () => {
    const { data } = await call('list_skills');
    const names = (data.skills as readonly { readonly name: string }[]).map(s => s.name);
    expect(names).toContain('test-repair');
    const { text } = await call('get_skill', { name: 'test-repair' });
    expect(text).toMatch(/^# test-repair \d/);
    expect(text.length).toBeGreaterThan(200);
    expect(await call('get_skill', { name: 'none' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('SKILL_NOT_ALLOWED: '),
    });
  });

  it('returns the outcome of the newest run or a named one, and audits its ledger', async () => {
    const runs = globSync('*/outcome.json', { cwd: out }).map(f => dirname(f));
    expect(runs.length).toBeGreaterThanOrEqual(2);
    const newest = await call('get_outcome');
    expect(newest.data).toMatchObject({ schema: 1, status: 'written', code: 'PATCH_WRITTEN' });
    expect((await call('audit')).data).toMatchObject({ valid: true, run: newest.data.runId });
    for (const run of runs) {
      const { data } = await call('get_outcome', { run });
      expect((await call('audit', { run })).data).toMatchObject({
        valid: true,
        run: data.runId,
        expectedHead: (data.ledger as { readonly head: string }).head,
      });
    }
    const ledger = join(out, runs[0] ?? '', 'ledger.jsonl');
    const forged = join(out, 'forged');
    mkdirSync(forged);
    const text = readFileSync(ledger, 'utf8');
    writeFileSync(join(forged, 'ledger.jsonl'), text.replace('PLAN', 'READ'));
    expect((await call('audit', { run: 'forged' })).data).toMatchObject({ valid: false });
  });

  it.each([
    ['get_outcome', { run: '..' }],
    ['get_outcome', { run: 'link' }],
    ['get_outcome', { run: '/etc' }],
    ['audit', { run: '../repo' }],
    ['get_constitution', { folder: '../x' }],
    ['get_constitution', { folder: '/etc' }],
    ['get_manifest', { workflow: '../flow' }],
    ['get_manifest', { unknown: 1 }],
    ['nothing', {}],
  ])('%s refuses %j and goes on', async (name, given) => {
    const { isError, text } = await call(name, given);
    expect(isError).toBe(true);
    expect(text).not.toBe('');
    expect((await call('list_skills')).isError).toBe(false);
  });

  it('says what to do where there is no manifest and no run', async () => {
    const empty = join(stage.folder, 'empty');
    mkdirSync(empty);
    const other = await connect(['--repo', empty]);
    try {
      const said = async (name: string) => JSON.stringify(await other.callTool({ name }));
      expect(await said('get_manifest')).toContain('What to do: Name one of the workflows');
      expect(await said('get_outcome')).toContain('What to do: Run Photon with --out');
    } finally {
      await other.close();
    }
  });

  it('cuts what is too long, and says so', async () => {
    const big = join(stage.folder, 'big');
    mkdirSync(join(big, 'a/b/c'), { recursive: true });
    // each file may have 64 KiB
    for (const at of ['', 'a', 'a/b', 'a/b/c'])
      writeFileSync(join(big, at, 'constitution.md'), `# Law\n\n${'Be kind. '.repeat(7_000)}\n`);
    const other = await connect(['--repo', big]);
    try {
      const { content } = await other.callTool({
        name: 'get_constitution',
        arguments: { folder: 'a/b/c' },
      });
      const text = (content as readonly { readonly text: string }[])[0]?.text ?? '';
      expect(text.length).toBeLessThan(200_100);
      expect(text).toMatch(/\n\[cut after 200000 characters\]$/);
    } finally {
      await other.close();
    }
  });

  it('changes nothing, writes only the protocol, answers the last request and ends with its input', async () => {
    const before = fingerprint(stage.repo);
    const child = spawn(process.execPath, [program, 'mcp'], { cwd: stage.repo });
    const written = { out: '', err: '' };
    child.stdout.on('data', chunk => {
      written.out += chunk;
    });
    child.stderr.on('data', chunk => {
      written.err += chunk;
    });
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const messages = [
      { id: 1, method: 'initialize', params: initialize },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'get_constitution', arguments: {} } },
    ];
    const lines = messages.map(m => `${JSON.stringify({ jsonrpc: '2.0', ...m })}\n`);
    child.stdin.end(`${lines.join('')}no protocol\n`);
    const code = await new Promise(done => child.on('close', done));
    expect(code).toBe(0);
    expect(written.err).toBe('');
    const replies = written.out.trim().split('\n');
    expect(replies.map(line => JSON.parse(line).id)).toEqual([1, 2]);
    expect(written.out).toContain('Round to whole cents.');
    expect(fingerprint(stage.repo)).toBe(before);
  });
});
