/** Steps that look at how a run ended, and at what it left behind. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { auditLedger } from '../../../src/audit/audit.ts';
import { codes } from '../../../src/base/codes.ts';
import { digest } from '../../../src/base/digest.ts';
import { renderComment } from '../../../src/report/comment/comment.ts';
import { renderSummary } from '../../../src/report/comment/summary.ts';
import {
  renderCommitMessage,
  renderPullRequest,
} from '../../../src/report/pull-request/pull-request.ts';
import { type CommandRecord, describeEnd } from '../../../src/workspace/session/command-record.ts';
import { shippedProfile } from '../../doubles/engine.ts';
import { forgeLedger } from '../../doubles/forge.ts';
import { findProse } from '../../doubles/prose.ts';
import { policy as shipped } from '../../guard/policies.ts';
import type { World } from '../world.ts';
import { step } from './step.ts';

/** The last command of the agent; tests can run in the background. */
function lastCommand(world: World): CommandRecord {
  const own = world.storedSession().commands.filter(c => c.caller === 'run_command');
  return own.at(-1) ?? expect.fail('no command was recorded');
}

/** What the log shows on standard error as the agent's reasoning, a text for each round. */
async function readThoughts(world: World): Promise<readonly string[]> {
  await world.result();
  const thoughts = world.log.flatMap(line => /^ {2}\[Think\] (.*)/.exec(line)?.[1] ?? []);
  expect(thoughts).not.toEqual([]);
  return thoughts;
}

/** Every text that leaves a run, but for the log. */
async function outputsOf(world: World): Promise<Record<string, string>> {
  const { outcome, diff } = await world.result();
  const task = {
    id: outcome.task.id,
    trigger: 'comment' as const,
    prompt: world.task,
    context: [],
    askedBy: 'tester',
    repository: 'o/r',
    baseRef: 'main',
    hiddenRemoved: 0,
  };
  const { title, body } = renderPullRequest(task, outcome);
  const commitMessage = renderCommitMessage(task, outcome);
  return {
    'pull request': [title, body, commitMessage].join('\n'),
    comment: renderComment(outcome),
    summary: renderSummary([{ outcome, diff }]),
    outcome: JSON.stringify(outcome),
    patch: diff,
    ledger: world.ledgerText(),
  };
}

function sinksOf({ outcome = '', patch = '', ledger = '', ...published }: Record<string, string>) {
  return { published, data: { outcome }, closed: { patch, ledger } };
}

export const outcomeSteps = [
  step(
    'the outcome should be {string} with code {string}',
    async (world, status: string, code: string) => {
      const { outcome } = await world.result();
      expect(outcome, outcome.message).toMatchObject({ status, code });
    },
  ),
  step('the outcome should name phase {string}', async (world, phase: string) => {
    expect((await world.result()).outcome.phase).toBe(phase);
  }),
  step('the explanation should mention {string}', async (world, text: string) => {
    const { outcome } = await world.result();
    expect([outcome.statement, outcome.message, outcome.hint].join('\n')).toContain(text);
  }),
  step('the outcome should note {string}', async (world, text: string) => {
    expect((await world.result()).outcome.notes.join('\n')).toContain(text);
  }),
  step('the outcome should name the prompt {string}', async (world, text: string) => {
    const { agent, version, protocol, memory } = (await world.result()).outcome.prompt;
    expect(`${agent} ${version}, ${protocol}, ${memory}`).toBe(text);
  }),
  step('the words for the reader should be {string}', async (world, text: string) => {
    const { statement, answer, summary } = (await world.result()).outcome;
    expect([statement, answer, summary].filter(words => words !== undefined).join('\n')).toBe(text);
  }),
  step("the run's metadata should be complete", async world => {
    const { outcome } = await world.result();
    const { prompt, usage, code } = outcome;
    expect(prompt).toMatchObject({ agent: 'kjxlkj-agent', parser: 'xml_attrless_v1' });
    expect(prompt.sha256).toBe(shippedProfile('kjxlkj-agent').sha256);
    expect(usage.rounds).toBe(world.requests);
    expect(usage.toolCalls).toBe(world.calls().length);
    expect(codes).toHaveProperty(code);
  }),
  step('the host file {string} should be as it was', (world, path: string) => {
    expect(readFileSync(join(world.checkout, path), 'utf8')).toBe(world.files[path]);
  }),
  step('the checkout should be untouched', world => {
    expect(world.hostUntouched).toBe(true);
  }),
  step('nothing should be delivered', async world => {
    const { outcome } = await world.result();
    expect(outcome.delivered).toEqual({ kind: 'none', operation: 'none' });
    expect(world.hostUntouched).toBe(true);
    expect(world.entries().map(e => e.tool)).not.toContain('deliver');
  }),
  step('the patch should be:', async (world, text: string) => {
    expect((await world.result()).diff.trimEnd()).toContain(text);
  }),
  step('the outcome should flag the file {string}', async (world, path: string) => {
    const { outcome } = await world.result();
    expect(outcome.patch.files.find(f => f.path === path)?.flag).toBeDefined();
    expect((await outputsOf(world))['pull request']).toMatch(/^\*\*Review these files first\*\*/m);
  }),
  step('the model should not have been asked', async world => {
    await world.result();
    expect(world.requests).toBe(0);
  }),
  step('the phases should be {string}', async (world, phases: string) => {
    await world.result();
    expect(world.audit().phases.join(' > ')).toBe(phases);
  }),
  step('the trace should be valid', async world => {
    await world.result();
    expect(world.audit().finding).toBeUndefined();
  }),
  step(
    'the outcome should count {string} as {string} {int} time(s)',
    async (world, code: string, state: string, count: number) => {
      const { outcome } = await world.result();
      const counted = outcome.decisions.filter(d => d.code === code && d.state === state);
      expect(counted.reduce((sum, d) => sum + d.count, 0)).toBe(count);
    },
  ),
  step('the outcome should be degraded', async world => {
    const { outcome } = await world.result();
    expect(outcome.degraded).toBe(true);
  }),
  step('the outcome should report partial failure', async world => {
    const { outcome } = await world.result();
    expect(outcome.degraded).toBe(true);
    const outputs = await outputsOf(world);
    expect(outputs['pull request']).toContain('partial failure');
  }),
  step('the outcome should name the constitution by version and hash', async world => {
    const { outcome } = await world.result();
    expect(outcome.constitution.version).toBe('2.0');
    const { sha256 } = outcome.constitution;
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    const outputs = await outputsOf(world);
    expect(outputs['pull request']).toContain(`Constitution 2.0, sha256 ${sha256}`);
    const start = world.entries().find(e => e.tool === 'run.start');
    expect(start?.facts).toMatchObject({ version: '2.0', constitution: sha256 });
  }),
  step(
    "the agent's reasoning should be in no output, and its words for the reader under their label",
    async world => {
      const outputs = await outputsOf(world);
      expect(world.sent.length).toBeGreaterThan(0);
      expect(findProse(world.sent, sinksOf(outputs))).toEqual([]);
    },
  ),
  step('the outputs should hold the patch, the decisions and the verification', async world => {
    const { 'pull request': pull = '', summary = '' } = await outputsOf(world);
    expect(pull).toContain('| with the patch |');
    expect(pull).toContain('| with the patch | exit 0, ');
    expect(pull).toContain('src/price.js');
    expect(pull).toContain('| code | decision | constitution | tool | times |');
    expect(summary).toContain('discountPercent / 100');
  }),
  step('outcome and log should note {string}', async (world, text: string) => {
    const { outcome } = await world.result();
    expect(outcome.notes.join('\n')).toContain(text);
    expect(world.log.join('\n')).toContain(text);
  }),
  step('the log should show the words {string} as [Think]', async (world, words: string) => {
    expect(await readThoughts(world)).toContainEqual(expect.stringContaining(words));
  }),
  step('the log should not show the words {string} as [Think]', async (world, words: string) => {
    expect(await readThoughts(world)).not.toContainEqual(expect.stringContaining(words));
  }),
  step(
    'the longest [Think] line should have at most {int} characters',
    async (world, max: number) => {
      expect(Math.max(...(await readThoughts(world)).map(text => text.length))).toBe(max);
    },
  ),
  step('the pull request should begin with {string}', async (world, text: string) => {
    const { 'pull request': pull = '' } = await outputsOf(world);
    const [, body = ''] = pull.split('\n');
    expect([pull.startsWith(text), body.startsWith(text)]).toContain(true);
  }),
  step('the pull request should show the plan', async world => {
    const { 'pull request': pull = '' } = await outputsOf(world);
    expect(pull).toMatch(
      /Plan: change at most \d+ lines in `src\/price.js`, starting from `orderTotal`/,
    );
  }),
  step('no output should show the plan', async world => {
    const outputs = await outputsOf(world);
    const { ledger: _ledger, ...shown } = outputs;
    for (const text of Object.values(shown)) expect(text).not.toContain('orderTotal`');
    expect(findProse(world.sent, sinksOf(outputs))).toEqual([]);
  }),
  step('the ledger should hold an entry for each of {string}', (world, tools: string) => {
    expect(world.calls().map(e => e.tool)).toEqual(tools.split(', '));
  }),
  step(
    'the last entry should name the path {string} and the caller {string}',
    (world, path: string, caller: string) => {
      const entry = world.calls().at(-1);
      expect(entry?.paths).toContain(path);
      expect(entry?.caller).toBe(caller);
    },
  ),
  step(
    'the audit log should hold a command of {string} that ended with {string}',
    (world, caller: string, end: string) => {
      const command = lastCommand(world);
      expect([command.caller, describeEnd(command)]).toEqual([caller, end]);
      // the entry of the call has the digest of its arguments
      const asked = digest(`${JSON.stringify({ command: command.argv[2] })}`);
      expect(world.calls().at(-1)?.arguments).toBe(asked);
      expect(command).toMatchObject({ cwd: '.', network: false });
    },
  ),
  step(
    'it should have written {string}, changed {string} and deleted {string}',
    (world, written: string, changed: string, deleted: string) => {
      const one = (path: string) => ({ count: 1, paths: [path] });
      expect(lastCommand(world).files).toEqual({
        written: one(written),
        changed: one(changed),
        deleted: one(deleted),
      });
    },
  ),
  step(
    'the audit log should hold the error log {string}, and the ledger should not',
    (world, text: string) => {
      expect(world.storedSession().calls.at(-1)?.error).toContain(text);
      expect(lastCommand(world).outputTail).toContain(text);
      expect(world.ledgerText()).not.toContain(text);
    },
  ),
  step('the last entry should hold the error {string}', (world, text: string) => {
    expect(world.calls().at(-1)?.evidence).toContain(text);
  }),
  step('every entry should have a phase, a time, a run and a seal', world => {
    for (const entry of world.entries()) {
      expect(entry.phase).toMatch(/^[A-Z]+$/);
      expect(Number.isNaN(Date.parse(entry.time))).toBe(false);
      expect(entry.run).toBe(world.entries()[0]?.run);
      expect(entry.hash).toMatch(/^[0-9a-f]{64}$/);
    }
  }),
  step(
    'an audit of a ledger in which {string} was said to be {string} should find {string}',
    async (world, tool: string, phase: string, code: string) => {
      await world.result();
      const text = forgeLedger(world.ledgerText(), entries => {
        const entry = entries.find(e => e.tool === tool);
        if (entry === undefined) throw new Error(`there is no entry of ${tool}`);
        entry.phase = phase;
      });
      expect(auditLedger(text, { shipped, complete: true }).finding?.code).toBe(code);
    },
  ),
  step(
    'an audit of a ledger in which a refused {string} was said to pass should find {string}',
    async (world, tool: string, code: string) => {
      await world.result();
      const text = forgeLedger(world.ledgerText(), entries => {
        const entry = entries.find(e => e.tool === tool && e.decision === 'abstain');
        if (entry === undefined) throw new Error(`no ${tool} was refused`);
        Object.assign(entry, { decision: 'pass', code: null });
      });
      expect(auditLedger(text, { shipped, complete: true }).finding?.code).toBe(code);
    },
  ),
];
