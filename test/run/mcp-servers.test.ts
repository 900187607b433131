/** Tools of MCP servers that a skill grants: servers that behave, published ones, and servers that do not. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { digestOfTools, type ListedTool } from '../../src/mcp/tool-list.ts';
import { type McpBehaviour, mcpServerSource } from '../doubles/mcp-server.ts';
import type { ModelStep, ScriptedCall, ScriptedTurn } from '../doubles/model.ts';
import { done, prove } from '../doubles/sample.ts';
import { type Played, play } from './scenario.ts';

const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });
const say = (...calls: ScriptedCall[]): ScriptedTurn => ({
  text: 'This is needed for the next step. It shows what comes after it.',
  calls,
});
const giveUp = say(call('abstain', { reason: 'the scenario is over' }));
const opening = say(
  call('plan', {
    entry_symbols: ['orderTotal'],
    affected_files: ['src/price.js'],
    scope: 'x',
    max_changed_lines: 5,
  }),
  call('skill_activate', { skill_name: 'counter' }),
);

/** The list that the scripted server states, in the order in which it does. */
function listed(): readonly ListedTool[] {
  const code = /const text =[\s\S]*?\n\];/.exec(mcpServerSource)?.[0] ?? '';
  return new Function(`${code}; return tools;`)() as readonly ListedTool[];
}

interface Setting {
  readonly mode?: McpBehaviour;
  readonly more?: readonly string[];
  readonly digest?: string | null;
  readonly settings?: object;
  readonly grants?: string;
}

const tools = {
  count: { reads: ['path'] },
  append: { writes: ['path'] },
  'try-write': 'read-only',
  show: 'read-only',
  strange: 'read-only',
};

function filesOf({ mode = 'good', more = [], digest, settings = {}, grants }: Setting = {}) {
  const pinned = digest === undefined ? digestOfTools(listed()) : digest;
  const server = {
    command: ['node', 'tools/server.mjs', mode, ...more],
    tools,
    ...(pinned === null ? {} : { toolsDigest: pinned }),
    ...settings,
  };
  const names =
    grants ??
    Object.keys(tools)
      .map(name => `mcp:lines/${name}`)
      .join(', ');
  return {
    'tools/server.mjs': mcpServerSource,
    '.photon/config.json': JSON.stringify({
      agent: { skillRoots: ['skills'] },
      mcp: { servers: { lines: server } },
    }),
    'skills/counter/SKILL.md': `---\nname: counter\ndescription: Counts lines of files.\nallowed-tools: [${names}]\ninterface: { output: A number. }\n---\nCount with the server.\n`,
  };
}

const toolsOf = (run: Played, i: number) =>
  (run.model.requests[i]?.body.tools ?? []).map(t =>
    t.type === 'function' ? t.function.name : '',
  );
const resultsOf = (run: Played) =>
  (run.model.requests.at(-1)?.body.messages ?? [])
    .filter(m => m.role === 'tool')
    .map(m => String(m.content));
const entries = (run: Played, tool: string) => run.ledger.filter(e => e.tool === tool);

/** Plays a script over the scripted server, and hands the run to `check`. */
async function serve(
  setting: Setting,
  script: readonly ModelStep[],
  check: (run: Played) => void,
): Promise<void> {
  await play({ files: filesOf(setting), script }, check);
}

const counts = say(call('mcp_lines_count', { path: 'src/price.js' }));

describe('a server that behaves', () => {
  it('is started by the activation of the skill, called, and recorded', async () => {
    const writes = say(call('mcp_lines_try_write', { path: 'src/price.js' }));
    const shows = say(call('mcp_lines_show', { text: 'a<!-- obey -->b‮c' }));
    const wrong = say(call('mcp_lines_count', { file: 'src/price.js' }));
    const outside = say(call('mcp_lines_count', { path: '../../etc/passwd' }));
    await serve({}, [opening, counts, writes, shows, wrong, outside, giveUp], run => {
      expect(toolsOf(run, 0).filter(n => n.startsWith('mcp_'))).toEqual([]);
      expect(toolsOf(run, 1).filter(n => n.startsWith('mcp_'))).toEqual([
        'mcp_lines_count',
        'mcp_lines_append',
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
    });
  });

  it('makes a change that its tool claims, and the rules judge it like one of apply_patch', async () => {
    const append = (path: string, line: string) => say(call('mcp_lines_append', { path, line }));
    const read = say(
      call('grep', { pattern: 'orderTotal' }),
      call('read_code_block', { requests: [{ file_path: 'src/price.js' }] }),
    );
    const script = [
      opening,
      append('src/price.js', '// too early'),
      read,
      append('README.md', 'not planned'),
      append('src/price.js', '// total / 100)'),
      prove,
      done,
    ];
    await serve({}, script, run => {
      const results = resultsOf(run);
      expect(results[2]).toMatch(/PHASE_ORDER|STALE_READ|NAVIGATION_MISSING/);
      expect(results[5]).toMatch(/PLAN_SCOPE|NAVIGATION_MISSING/);
      expect(run.outcome.status, run.log).toBe('committed');
      expect(run.patch).toContain('+// total / 100)');
      expect(run.patch).not.toContain('README');
    });
  });

  it('is asked for nothing when no skill grants its tools', async () => {
    await serve({ grants: 'read_code_block' }, [opening, counts, giveUp], run => {
      expect(toolsOf(run, 1).some(n => n.startsWith('mcp_'))).toBe(false);
      expect(resultsOf(run)[2]).toContain('TOOL_NOT_PERMITTED');
      expect(entries(run, 'mcp.start')).toEqual([]);
    });
  });
});

describe('a server that does not behave is cut off with a code', () => {
  const timeout = { timeoutSeconds: 1 };
  const cases: readonly (readonly [McpBehaviour, string, object?])[] = [
    ['changes-tools', 'MCP_TOOLS_CHANGED'],
    ['hangs', 'MCP_TIMEOUT', timeout],
    ['floods', 'MCP_FLOOD'],
    ['floods-messages', 'MCP_FLOOD'],
    ['malformed', 'MCP_MESSAGE_INVALID'],
    ['unknown-answer', 'MCP_MESSAGE_INVALID'],
    ['lies', 'MCP_RESULT_INVALID'],
    ['wrong-form', 'MCP_RESULT_INVALID'],
    ['exits', 'MCP_SERVER_ENDED'],
  ];
  it.each(cases)('%s: %s', async (mode, code, settings = {}) => {
    await serve({ mode, settings }, [opening, counts, counts, giveUp], run => {
      expect(resultsOf(run)[2]).toContain(code);
      expect(toolsOf(run, 2).some(n => n.startsWith('mcp_'))).toBe(false);
      expect(resultsOf(run)[3]).toContain('TOOL_NOT_PERMITTED');
      expect(entries(run, 'mcp.cut')).toMatchObject([{ code, facts: { server: 'lines' } }]);
      expect(run.outcome.status).toBe('abstained');
    });
  });

  const starts: readonly (readonly [string, Setting, string])[] = [
    ['another digest', { digest: `sha256:${'0'.repeat(64)}` }, 'MCP_TOOLS_CHANGED'],
    ['no digest', { digest: null }, 'MCP_TOOLS_CHANGED'],
    [
      'no answer at its start',
      { mode: 'hangs-at-start' as const, settings: timeout },
      'MCP_TIMEOUT',
    ],
    ['no program', { settings: { command: ['/nonexistent/server'] } }, 'MCP_UNAVAILABLE'],
  ];
  it.each(starts)('%s: none of its tools is offered', async (_, setting, code) => {
    await serve(setting, [opening, counts, giveUp], run => {
      expect(resultsOf(run)[1]).toContain(code);
      expect(toolsOf(run, 1).some(n => n.startsWith('mcp_'))).toBe(false);
      expect(entries(run, 'mcp.cut')).toMatchObject([{ code }]);
    });
  });

  it.each(['sampling/createMessage', 'elicitation/create', 'roots/list'])(
    'refuses its request %s, and goes on',
    async method => {
      await serve({ mode: 'asks', more: [method] }, [opening, counts, giveUp], run => {
        expect(resultsOf(run)[2]).toContain('10 lines');
        expect(entries(run, 'mcp.refused')).toMatchObject([
          { code: 'MCP_REQUEST_REFUSED', facts: { method } },
        ]);
      });
    },
  );

  it('kills what a server started, at the end of the run', async () => {
    await serve({ mode: 'forks' }, [opening, counts, giveUp], run => {
      expect(resultsOf(run)[2]).toContain('10 lines');
      const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
      expect(running).not.toContain('7654.321');
    });
  });

  it('drops a change that no claim names', async () => {
    const read = say(
      call('grep', { pattern: 'orderTotal' }),
      call('read_code_block', { requests: [{ file_path: 'src/price.js' }] }),
    );
    const append = say(call('mcp_lines_append', { path: 'src/price.js', line: '// x' }));
    await serve({ mode: 'writes-elsewhere' }, [opening, read, append, giveUp], run => {
      expect(resultsOf(run).at(-1)).toContain('MCP_TREE_CHANGED');
      expect(run.patch).toBe('');
    });
  });

  it('is not started when the patch changes its program', async () => {
    const script = [
      say(
        call('plan', {
          entry_symbols: ['x'],
          affected_files: ['tools/server.mjs'],
          scope: 'x',
          max_changed_lines: 50,
        }),
        call('skill_activate', { skill_name: 'test-repair' }),
      ),
      say(call('grep', { pattern: 'createInterface' })),
      say(
        call('read_code_block', {
          requests: [{ file_path: 'tools/server.mjs', start_line: 1, end_line: 3 }],
        }),
      ),
      say(
        call('apply_patch', {
          files: [
            {
              path: 'tools/server.mjs',
              edits: [{ start_line: 2, end_line: 1, content: '// new' }],
            },
          ],
        }),
      ),
      say(call('skill_activate', { skill_name: 'counter' })),
      giveUp,
    ];
    const files = filesOf();
    const config = JSON.parse(files['.photon/config.json']);
    config.agent.skillRoots = ['skills', 'photon:*'];
    await play(
      { files: { ...files, '.photon/config.json': JSON.stringify(config) }, script },
      run => expect(resultsOf(run).at(-1)).toContain('MCP_UNAVAILABLE'),
    );
  });
});
