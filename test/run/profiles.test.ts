import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Body } from '../doubles/model.ts';
import { begin, look, repairScript } from '../doubles/sample.ts';
import { call, giveUp, say } from '../doubles/steps.ts';
import { root } from '../harness.ts';
import { playsVariants } from '../seed.ts';
import { type Played, play } from './scenario.ts';

const both = ['photon', 'kjxlkj-agent'];
const kjxlkj = { agent: { profile: 'kjxlkj-agent' } };
const textOf = (body: Body | undefined) => JSON.stringify(body?.messages);
const shippedProfile = (name: string) =>
  JSON.parse(readFileSync(join(root, 'prompts', `${name}.json`), 'utf8')) as {
    segments: { condition: string; prompt: string }[];
  };

describe('the demo task', () => {
  it('is completed under both profiles by the same decisions, with the same patch', async () => {
    const runs: Played[] = [];
    for (const profile of both)
      await play({ script: repairScript, config: { agent: { profile } } }, run => {
        runs.push(run);
      });
    const [native, xml] = runs as [Played, Played];
    expect(native.outcome).toMatchObject({
      status: 'committed',
      code: 'COMMITTED',
      prompt: {
        agent: 'photon',
        protocol: 'native',
        memory: 'transcript',
        parser: 'tool_calls_v2',
      },
    });
    expect(xml.outcome).toMatchObject({
      status: 'committed',
      code: 'COMMITTED',
      prompt: { agent: 'kjxlkj-agent', protocol: 'xml', memory: 'ram', parser: 'xml_attrless_v1' },
    });
    expect(xml.patch).toBe(native.patch);
    // the tree holds the configuration, which names the profile
    const { tree } = native.outcome.patch;
    expect({ ...xml.outcome.patch, tree }).toEqual(native.outcome.patch);
    expect(decisions(xml)).toEqual(decisions(native));
    for (const { outcome, ledger } of runs) {
      expect(outcome.prompt.sha256).toMatch(/^[0-9a-f]{64}$/);
      const start = ledger.find(e => e.tool === 'run.start')?.facts;
      const { sha256: prompt, agent, protocol, parser, memory } = outcome.prompt;
      expect(start).toMatchObject({ prompt, agent, protocol, parser, memory });
    }
    expect(native.model.requests.every(r => r.body.tools !== undefined)).toBe(true);
    expect(xml.model.requests.every(r => r.body.tools === undefined)).toBe(true);
    expect(native.model.requests[0]?.bytes).toBeLessThan(9_000);
    expect(xml.model.requests[0]?.bytes).toBeLessThan(9_000);
  });
});

/** What the guard judged, and what it was told of each call. */
const decisions = (run: Played) =>
  run.ledger
    .filter(e => e.call !== undefined)
    .map(({ tool, phase, decision, code, paths, call: judged }) => {
      const { events, ...about } = judged as { events: readonly { kind: string }[] };
      // which tools there are is the profile's
      const seen = events.filter(e => e.kind !== 'permitted');
      return { tool, phase, decision, code, paths, about, seen };
    });

describe('a run without a transcript', () => {
  it.runIf(playsVariants)('shows results within a bound, and says what it cut', async () => {
    const long = Array.from({ length: 400 }, (_, i) => `export const v${i} = ${i};`).join('\n');
    const request = { file_path: 'src/long.js', start_line: 1, end_line: 400 };
    const read = call('read_code_block', { requests: [request] });
    const script = [
      begin,
      say(call('list_project_files', {})),
      say(...Array.from({ length: 8 }, () => read)),
      giveUp,
    ];
    const files = { 'src/long.js': `${long}\n` };
    await play({ script, files, config: kjxlkj }, ({ model }) => {
      const text = String(model.requests[3]?.body.messages[1]?.content);
      expect(Buffer.byteLength(text)).toBeLessThan(52_000);
      expect(text.match(/\[cut: \d+ more bytes\]/g)?.length).toBeGreaterThan(0);
      expect(text).toContain('8. read_code_block');
    });
  });
});

describe('segments', () => {
  const profile = (more: object) => JSON.stringify({ ...own, ...more });
  const own = {
    agent_name: 'house',
    version: '1',
    segments: [
      { condition: 'planning', prompt: 'SEGMENT-PLANNING' },
      { condition: 'default', prompt: 'SEGMENT-DEFAULT' },
      { condition: 'reading', prompt: 'SEGMENT-READING' },
      { condition: 'reviewing', prompt: 'SEGMENT-REVIEWING' },
    ],
  };
  const config = { agent: { profile: '.photon/agent.json' } };

  it('make a profile of the repository, with the tools that it allows', async () => {
    const files = {
      '.photon/agent.json': profile({
        protocol: 'xml',
        memory: 'transcript',
        allowed_tags: ['plan', 'grep', 'abstain'],
      }),
    };
    const script = [begin, say(call('grep', { pattern: 'orderTotal' })), giveUp];
    await play({ script, files, config }, ({ model, outcome }) => {
      expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
      const [first, repaired, last] = model.requests.map(r => r.body);
      expect(textOf(first)).toContain('<grep>');
      expect(textOf(first)).not.toContain('<verify>');
      // skill_activate is no tag here
      expect(textOf(repaired)).toContain('XML_UNKNOWN_TAG <skill_activate>');
      // in tags, too, a transcript is the conversation
      expect(last?.messages.map(m => m.role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(String(last?.messages[2]?.content)).toContain('<grep><pattern>orderTotal</pattern>');
    });
  });

  it('come from the trusted branch, whatever the checkout holds', async () => {
    const files = { '.photon/agent.json': profile({}) };
    const evil = profile({ segments: [{ condition: 'default', prompt: 'SEGMENT-EVIL' }] });
    const cloned = (workspace: string) =>
      writeFileSync(join(workspace, '.photon', 'agent.json'), evil);
    await play({ script: [giveUp], files, config, cloned }, ({ model }) => {
      expect(textOf(model.requests[0]?.body)).toContain('SEGMENT-DEFAULT');
      expect(textOf(model.requests[0]?.body)).not.toContain('SEGMENT-EVIL');
    });
  });
});

describe('a bounded transcript', () => {
  it.runIf(playsVariants)('drops old results, then old rounds, and says so', async () => {
    const limits = { transcript_bytes: 5000 };
    const files = {
      '.photon/agent.json': JSON.stringify({
        agent_name: 'short',
        version: '1',
        limits,
        segments: [{ condition: 'default', prompt: 'Work.' }],
      }),
    };
    const request = { file_path: 'src/price.js', symbol_name: 'orderTotal' };
    const reads = Array.from({ length: 14 }, (_, n) => {
      const notes = { file_path: `nothing-of-this-name/at-all/in-the-repository-${n}.js` };
      return say(call('read_code_block', { requests: [request, notes] }));
    });
    const script = [begin, look, ...reads, giveUp];
    const config = { agent: { profile: '.photon/agent.json' } };
    await play({ script, files, config }, ({ model, outcome }) => {
      expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
      const bodies = model.requests.map(r => r.body);
      for (const { messages } of bodies)
        expect(JSON.stringify(messages.slice(2)).length).toBeLessThan(8000);
      const told = bodies.map(textOf).join('\n');
      expect(told).toMatch(
        /\[src\/price\.js L2-5: shown in round \d+, no longer shown; read them again with/,
      );
      expect(told).toMatch(/\[\d+ earlier rounds are no longer shown/);
      // the last results are always whole
      for (const body of bodies.slice(3, -1))
        expect(String(body.messages.at(-1)?.content)).toContain('orderTotal');
    });
  });
});

describe('the shipped profiles', () => {
  it('are named as their contract says', () => {
    for (const name of both)
      expect(shippedProfile(name)).toMatchObject({ agent_name: name, $schema: expect.any(String) });
  });
});
