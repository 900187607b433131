/** Attacks by MCP servers and by configurations that nobody has reviewed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type McpBehaviour, mcpFiles } from '../doubles/mcp-server.ts';
import type { ScriptedCall, ScriptedTurn } from '../doubles/model.ts';
import { type Attack, modelInputOf, throughAction } from './attack.ts';

const say = (name: string, args: object): ScriptedTurn => ({
  text: 'The server is asked, and its answer shows what it can do.',
  calls: [{ name, arguments: args } satisfies ScriptedCall],
});
const script = (name: string, args: object): readonly ScriptedTurn[] => [
  say('plan', {
    entry_symbols: ['orderTotal'],
    affected_files: ['src/price.js'],
    scope: 'x',
    max_changed_lines: 5,
  }),
  say('skill_activate', { skill_name: 'counter' }),
  say(name, args),
  say('abstain', { reason: 'the server was asked' }),
];
const files = (mode: McpBehaviour) => mcpFiles({ lines: { mode } });

export const mcpAttacks: readonly Attack[] = [
  {
    id: 'mcp/environment',
    attack: 'An MCP server returns the names of its environment variables',
    wall: 'A server runs in the sandbox and gets the environment of a command, without inputs and keys',
    codes: ['ABSTAINED'],
    play: setup =>
      throughAction(
        setup,
        { files: files('good'), script: script('mcp_lines_show', { text: 'x' }) },
        played =>
          /MY_SECRET|INPUT_|GITHUB_/.test(modelInputOf(played)) ? 'a name of the host' : undefined,
      ),
  },
  {
    id: 'mcp/write',
    attack: 'A tool that is listed as read-only writes a file of the repository',
    wall: 'The tree is mounted read-only for the server',
    codes: ['ABSTAINED'],
    play: setup =>
      throughAction(
        setup,
        { files: files('good'), script: script('mcp_lines_try_write', { path: 'src/price.js' }) },
        played => (modelInputOf(played).includes(']\\nwritten') ? 'a written file' : undefined),
      ),
  },
  {
    id: 'mcp/hidden-text',
    attack:
      'A result of an MCP server holds instructions in a comment and an attribute that rendering hides',
    wall: 'Text that a reader cannot see is removed from results',
    codes: ['ABSTAINED'],
    play: setup =>
      throughAction(
        setup,
        { files: files('hides'), script: script('mcp_lines_show', { text: 'x' }) },
        played => /canary-in-a-(?:comment|title)/.exec(modelInputOf(played))?.[0],
      ),
  },
  {
    id: 'mcp/changed-tools',
    attack: 'An MCP server announces other tools after the run has begun',
    wall: 'The server is stopped, and none of its tools is offered any more',
    codes: ['ABSTAINED'],
    play: setup =>
      throughAction(
        setup,
        {
          files: files('changes-tools'),
          script: script('mcp_lines_count', { path: 'src/price.js' }),
        },
        played => (played.ledger.some(e => e.tool === 'mcp.cut') ? undefined : 'a server in use'),
      ),
  },
  {
    id: 'mcp/unreviewed',
    attack:
      'The checkout, but not the trusted branch, lists an MCP server and a skill that grants it',
    wall: 'Servers and skills are read from the trusted branch alone',
    codes: ['ABSTAINED'],
    play: setup =>
      throughAction(
        setup,
        {
          cloned: workspace => {
            for (const [path, text] of Object.entries(files('good'))) {
              mkdirSync(dirname(join(workspace, path)), { recursive: true });
              writeFileSync(join(workspace, path), text);
            }
          },
          script: script('mcp_lines_count', { path: 'src/price.js' }),
        },
        played =>
          played.ledger.some(e => e.tool === 'mcp.start') ? 'a started server' : undefined,
      ),
  },
];
