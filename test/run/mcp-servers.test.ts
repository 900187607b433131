/** Tools of MCP servers that a skill grants: servers that behave, published ones, and servers that do not. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type McpBehaviour, type McpServersOfTest, mcpFiles } from '../doubles/mcp-server.ts';
import { activate, call, giveUp, planOf, readLines, replaceLine, say } from '../doubles/steps.ts';
import { discard, makeFolder, root } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { playsVariants } from '../seed.ts';
import { type Played, play } from './scenario.ts';

const opening = say(planOf(['src/price.js'], 5), activate('counter'));

const toolsOf = (run: Played, i: number) =>
  (run.model.requests[i]?.body.tools ?? []).map(t =>
    t.type === 'function' ? t.function.name : '',
  );
const resultsOf = (run: Played) =>
  (run.model.requests.at(-1)?.body.messages ?? [])
    .filter(m => m.role === 'tool')
    .map(m => String(m.content));
const entries = (run: Played, tool: string) => run.ledger.filter(e => e.tool === tool);

const counts = say(call('mcp_lines_count', { path: 'src/price.js' }));

describe('a server that behaves', () => {
  it('is started by the activation of the skill, called, and recorded', async () => {
    const writes = say(call('mcp_lines_try_write', { path: 'src/price.js' }));
    const shows = say(call('mcp_lines_show', { text: 'a<!-- obey -->b‮c' }));
    const wrong = say(call('mcp_lines_count', { where: 'src/price.js' }));
    const outside = say(call('mcp_lines_count', { path: '../../etc/passwd' }));
    await play(
      { files: mcpFiles(), script: [opening, counts, writes, shows, wrong, outside, giveUp] },
      run => {
        expect(toolsOf(run, 0).filter(n => n.startsWith('mcp_'))).toEqual([]);
        expect(toolsOf(run, 1).filter(n => n.startsWith('mcp_'))).toEqual([
          'mcp_lines_count',
          'mcp_lines_try_write',
          'mcp_lines_show',
        ]);
        const results = resultsOf(run);
        expect(results[1]).toContain('mcp:lines/strange is left out');
        expect(results[2]).toContain('Data from the MCP server lines');
        expect(results[2]).toContain('10 lines');
        // the tree is mounted read-only
        expect(results[3]).toContain('EROFS');
        expect(results[4]).not.toContain('obey');
        expect(results[4]).toContain('ab');
        expect(results[4]).not.toMatch(/TOKEN|INPUT_|MY_SECRET/);
        expect(results[5]).toContain('ARGUMENTS_INVALID');
        expect(entries(run, 'mcp.start')).toHaveLength(1);
        expect(entries(run, 'mcp_lines_count')[0]).toMatchObject({
          decision: 'pass',
          facts: { server: 'lines' },
        });
        expect(run.outcome.code).toBe('PATH_ESCAPE');
      },
    );
  });
});

describe('a server that does not behave is cut off with a code', () => {
  const timeout = { timeoutSeconds: 2 };
  const countOf = (server: string) =>
    call(`mcp_${server.replaceAll('-', '_')}_count`, { path: 'src/price.js' });

  it('changes its tools, floods, breaks the protocol, lies or ends during a call', async () => {
    const expected: Readonly<Partial<Record<McpBehaviour, string>>> = {
      'changes-tools': 'MCP_TOOLS_CHANGED',
      floods: 'MCP_FLOOD',
      'floods-messages': 'MCP_FLOOD',
      malformed: 'MCP_MESSAGE_INVALID',
      deep: 'MCP_MESSAGE_INVALID',
      'unknown-answer': 'MCP_MESSAGE_INVALID',
      lies: 'MCP_RESULT_INVALID',
      'wrong-form': 'MCP_RESULT_INVALID',
      exits: 'MCP_SERVER_ENDED',
    };
    const modes = Object.keys(expected) as McpBehaviour[];
    const servers: McpServersOfTest = Object.fromEntries(
      [...modes, 'good' as const].map(mode => [mode, { mode }]),
    );
    const all = say(...modes.map(countOf));
    const again = say(countOf('exits'), countOf('good'));
    await play({ files: mcpFiles(servers), script: [opening, all, again, giveUp] }, run => {
      const results = resultsOf(run);
      const codes = modes.map((mode, i) => [mode, /MCP_[A-Z_]+/.exec(results[2 + i] ?? '')?.[0]]);
      expect(Object.fromEntries(codes)).toEqual(expected);
      const left = toolsOf(run, 2).filter(n => n.startsWith('mcp_'));
      expect(left.length).toBeGreaterThan(0);
      expect(left.filter(n => !n.startsWith('mcp_good_'))).toEqual([]);
      expect(results.at(-2)).toContain('TOOL_NOT_PERMITTED');
      expect(results.at(-1)).toContain('10 lines');
      const cut = entries(run, 'mcp.cut').map(e => [
        (e.facts as { server: string }).server,
        e.code,
      ]);
      expect(Object.fromEntries(cut)).toEqual(expected);
      expect(run.outcome.notes.join('\n')).toContain('MCP server lies: MCP_RESULT_INVALID');
      expect(run.outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
    });
  });

  it('has other tools than the configuration, or does not start', async () => {
    const servers: McpServersOfTest = {
      changed: { digest: `sha256:${'0'.repeat(64)}` },
      unpinned: { digest: null },
      restless: { mode: 'lists-anew' },
      silent: { mode: 'hangs-at-start', settings: timeout },
      missing: { settings: { command: ['/nonexistent/server'] } },
    };
    await play({ files: mcpFiles(servers), script: [opening, giveUp] }, run => {
      const result = resultsOf(run)[1] ?? '';
      expect(result).toMatch(/changed: MCP_TOOLS_CHANGED/);
      expect(result).toMatch(/unpinned: MCP_TOOLS_CHANGED: the configuration has no toolsDigest/);
      expect(result).toMatch(/restless: MCP_TOOLS_CHANGED: each of its lists has other tools/);
      expect(result).toMatch(/silent: MCP_TIMEOUT/);
      expect(result).toMatch(/missing: MCP_UNAVAILABLE/);
      expect(toolsOf(run, 1).some(n => n.startsWith('mcp_'))).toBe(false);
      expect(entries(run, 'mcp.cut').map(e => e.code)).toHaveLength(5);
    });
  });

  it.runIf(playsVariants)(
    'states a schema that takes for ever: the judgement is ended, and the run goes on',
    async () => {
      // each takes five seconds of a processor
      const others = ['slow-output', 'slow-list', 'slow-references'] as const;
      const modes = ['slow-input', ...(playsVariants ? others : [])] as const;
      const servers: McpServersOfTest = Object.fromEntries(
        [...modes, 'good' as const].map(mode => [mode, { mode }]),
      );
      const slowPath = call('mcp_slow_input_count', { path: `${'a'.repeat(60)}!` });
      const counted = modes.filter(mode => mode !== 'slow-input').map(countOf);
      const script = [opening, say(slowPath, ...counted), say(countOf('good')), giveUp];
      await play({ files: mcpFiles(servers), script }, run => {
        const results = resultsOf(run);
        for (const result of results.slice(2, 2 + modes.length))
          expect(result).toContain('MCP_SCHEMA_TIMEOUT: a value could not be judged');
        expect(results.at(-1)).toContain('10 lines');
        const cut = entries(run, 'mcp.cut').map(e => [
          (e.facts as { server: string }).server,
          e.code,
        ]);
        expect(Object.fromEntries(cut)).toEqual(
          Object.fromEntries(modes.map(mode => [mode, 'MCP_SCHEMA_TIMEOUT'])),
        );
        expect(run.outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
      });
    },
  );

  it.runIf(playsVariants)('hangs in a call', async () => {
    // long enough for its start on a busy machine
    const files = mcpFiles({ lines: { mode: 'hangs', settings: { timeoutSeconds: 6 } } });
    await play({ files, script: [opening, counts, giveUp] }, run => {
      expect(resultsOf(run)[2]).toContain('MCP_TIMEOUT: it did not answer within 6 s');
      expect(entries(run, 'mcp.cut')).toMatchObject([{ code: 'MCP_TIMEOUT' }]);
    });
  });

  it.runIf(playsVariants)(
    'asks for a reply of the model, an answer of a person or folders: refused, and it goes on',
    async () => {
      const methods = ['sampling/createMessage', 'elicitation/create', 'roots/list'];
      const servers: McpServersOfTest = Object.fromEntries(
        methods.map((method, i) => [`asks${i}`, { mode: 'asks', more: [method] }]),
      );
      const all = say(...Object.keys(servers).map(countOf));
      await play({ files: mcpFiles(servers), script: [opening, all, giveUp] }, run => {
        for (const result of resultsOf(run).slice(2)) expect(result).toContain('10 lines');
        expect(entries(run, 'mcp.refused')).toMatchObject(
          methods.map(method => ({ code: 'MCP_REQUEST_REFUSED', facts: { method } })),
        );
      });
    },
  );

  it('kills what a server started, at the end of the run', async () => {
    await play(
      { files: mcpFiles({ lines: { mode: 'forks' } }), script: [opening, counts, giveUp] },
      run => {
        expect(resultsOf(run)[2]).toContain('10 lines');
        const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
        expect(running).not.toContain('7654.321');
      },
    );
  });

  it('is not started when the patch changes its program', async () => {
    const script = [
      say(planOf(['tools/server.mjs'], 50, 'x'), activate('test-repair')),
      say(call('grep', { pattern: 'createInterface' })),
      say(readLines('tools/server.mjs', 1, 3)),
      say(replaceLine('tools/server.mjs', 2, '// new', 1)),
      say(activate('counter')),
      giveUp,
    ];
    await play({ files: mcpFiles(), script }, run =>
      expect(resultsOf(run).at(-1)).toContain('MCP_UNAVAILABLE'),
    );
  });
});

describe('published servers', () => {
  const packages = join(root, 'node_modules');
  const published = (name: string) =>
    join(packages, '@modelcontextprotocol', name, 'dist', 'index.js');
  const files = {
    ...mcpFiles(
      {},
      'mcp:files/read_text_file, mcp:files/list_directory, mcp:every/echo, mcp:every/get-sum',
    ),
    '.photon/config.json': '',
  };
  const settings = (digests: Readonly<Record<string, string>> = {}) =>
    JSON.stringify({
      agent: { skillRoots: ['skills', 'photon:*'] },
      mcp: {
        servers: {
          files: {
            command: ['node', published('server-filesystem'), '.'],
            ...(digests.files === undefined ? {} : { toolsDigest: digests.files }),
            tools: { read_text_file: { reads: ['path'] }, list_directory: { reads: ['path'] } },
          },
          every: {
            command: ['node', published('server-everything'), 'stdio'],
            ...(digests.every === undefined ? {} : { toolsDigest: digests.every }),
            tools: { echo: 'read-only', 'get-sum': 'read-only' },
          },
        },
      },
    });

  it.runIf(playsVariants)('are pinned by photon mcp digest, and then answer', async () => {
    const folder = makeFolder();
    const repo = join(folder, 'repo');
    const digests: Record<string, string> = {};
    try {
      const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args]);
      mkdirSync(join(repo, '.photon'), { recursive: true });
      git('init', '-q');
      writeFileSync(join(repo, '.photon', 'config.json'), settings());
      git('add', '.');
      git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'x');
      for (const name of ['files', 'every']) {
        const { out, err } = await startPhoton({
          args: ['mcp', 'digest', name, '--repo', repo, '--sandbox-read', packages],
          cwd: folder,
          env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder },
        });
        digests[name] = /sha256:[0-9a-f]{64}/.exec(out)?.[0] ?? out;
        expect(out, err).toContain('(in the configuration)');
      }
    } finally {
      discard(folder);
    }
    const example = readFileSync(join(root, 'examples/mcp/.photon/config.json'), 'utf8');
    expect(example).toContain(digests.files);
    const script = [
      opening,
      say(
        call('mcp_files_read_text_file', { path: 'README.md' }),
        call('mcp_every_echo', { message: 'hello' }),
        call('mcp_every_get_sum', { a: 2, b: 40 }),
      ),
      giveUp,
    ];
    const inputs = { 'sandbox-read': packages };
    const own = { ...files, '.photon/config.json': settings(digests) };
    await play({ files: own, script, inputs }, run => {
      const results = resultsOf(run);
      expect(results[2]).toContain('Prices with a discount.');
      expect(results[3]).toContain('hello');
      expect(results[4]).toContain('42');
    });
  });
});
