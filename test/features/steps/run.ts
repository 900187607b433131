/** Steps in which the agent does something, and what the guard and the tools answer. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { coreTools, openSkills, toolNames } from '../../../src/agent/context/skills.ts';
import { checkSkill, type SkillCheck } from '../../../src/skills/check-skill.ts';
import { loadSkills } from '../../../src/skills/load.ts';
import { readSkillFolder } from '../../../src/skills/skill-manager.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import {
  openFolderFiles,
  type TrustedFiles,
} from '../../../src/workspace/trusted/trusted-files.ts';
import { shippedProfile } from '../../doubles/engine.ts';
import type { ScriptedCall } from '../../doubles/model.ts';
import { rightLine } from '../../doubles/sample.ts';
import { canary, root } from '../../harness.ts';
import { thought, World } from '../world.ts';
import { step } from './step.ts';

const planArgs = (files: readonly string[], more: object = {}) => ({
  entry_symbols: ['orderTotal'],
  affected_files: files,
  scope: 'Only the lines of this change and nothing beyond it.',
  ...more,
});

/** Every skill of a folder, checked for completeness. */
async function checkAll(files: TrustedFiles): Promise<SkillCheck[]> {
  const { skills } = await loadSkills(['photon:*'], { photon: files, repository: files });
  const checks = skills.map(async skill => {
    const read = await readSkillFolder(skill, files);
    return checkSkill({ skill, ...read }, { all: toolNames, core: coreTools });
  });
  return Promise.all(checks);
}

const last = (world: World) => {
  const entry = world.calls().at(-1);
  if (entry === undefined) throw new Error('nothing was called yet');
  return entry;
};

/** Text of a file as the session has it: every line that a read shows. */
async function readInside(world: World, path: string): Promise<ReadonlyMap<number, string>> {
  await world.turn({
    text: thought,
    calls: [
      { name: 'list_project_files', arguments: {} },
      {
        name: 'read_code_block',
        // without a range, since a range that an earlier result shows is only referred to
        arguments: { requests: [{ file_path: path }] },
      },
    ],
  });
  // an empty line comes without its number
  const rows = [...(world.answers.at(-1) ?? '').matchAll(/^(\d+)\t(.*)$/gm)];
  return new Map(rows.map(([, number, text = '']) => [Number(number), text]));
}

const read = (world: World, path: string, start: number, end: number) =>
  world.call('read_code_block', {
    requests: [{ file_path: path, start_line: start, end_line: end }],
  });

const replace = (world: World, line: number, path: string, content: string) =>
  world.call('apply_patch', { files: [{ path, edits: [{ start_line: line, content }] }] });

const activate = (world: World, name: string) => world.call('skill_activate', { skill_name: name });

async function repair(world: World): Promise<void> {
  await activate(world, 'code-modify');
  await world.call('plan', planArgs(['src/price.js'], { max_changed_lines: 20 }));
  await world.call('list_project_files', {});
  await read(world, 'src/price.js', 1, 11);
  await replace(world, 4, 'src/price.js', rightLine);
  expect(last(world).decision, world.answers.join('\n')).toBe('pass');
}

const given = [
  step('the agent has activated {string}', activate),
  step('the agent plans with FunctionGemma', world =>
    world.call('plan', planArgs(['src/price.js'])),
  ),
  step('the agent has planned a change of {string}', async (world, path: string) => {
    await activate(world, 'code-modify');
    await world.call('plan', planArgs([path], { max_changed_lines: 20 }));
  }),
  step('the agent has listed the files', world => world.call('list_project_files', {})),
  step(
    'the agent has read {string} from line {int} to {int}',
    async (world, path: string, start: number, end: number) => {
      await world.call('list_project_files', {});
      await read(world, path, start, end);
      expect(last(world).decision).toBe('pass');
    },
  ),
  step(
    'the agent has patched line {int} of {string} to {string}',
    async (world, line: number, path: string, content: string) => {
      await replace(world, line, path, content);
      expect(last(world).decision, world.answers.join('\n')).toBe('pass');
    },
  ),
  step(
    'an earlier run of the task kept {string} in its memory and read {string}',
    async (world, value: string, path: string) => {
      // it ends before this run starts, so that both run in one process, one after the other
      const earlier = new World();
      Object.assign(earlier.inputs, world.inputs, { 'agent-profile': 'kjxlkj-agent' });
      Object.assign(world.inputs, { 'agent-profile': 'kjxlkj-agent' });
      try {
        await activate(earlier, 'code-modify');
        await earlier.call('plan', planArgs([path]));
        await earlier.call('ram_add', { key: 'plan', value });
        expect(JSON.stringify(earlier.request.messages)).toContain(value);
        await earlier.call('list_project_files', {});
        await earlier.call('read_code_block', { requests: [{ file_path: path }] });
        expect(last(earlier).decision).toBe('pass');
      } finally {
        expect(await earlier.close()).toEqual([]);
      }
    },
  ),
  step('the agent has read and patched the sample', repair),
  step('the agent has patched and verified the sample', async world => {
    await repair(world);
    await world.call('verify', {});
    expect(world.answers.join('\n')).toContain('Verification passed');
  }),
  step(
    'the agent has read {string} from line {int} to {int} after a plan',
    async (world, path: string, start: number, end: number) => {
      await world.call('plan', planArgs([path]));
      await world.call('list_project_files', {});
      await read(world, path, start, end);
      expect(last(world).decision).toBe('pass');
    },
  ),
];

const when = [
  step('the run starts', world => world.start()),
  step('the agent calls {string}', (world, name: string) => world.call(name, {})),
  step('the agent calls {string} with:', (world, name: string, args: string) =>
    world.call(name, args),
  ),
  step('the agent calls {string} without saying why with:', (world, name: string, args: string) =>
    world.call(name, args, ''),
  ),
  step('the agent calls in one round:', (world, text: string) =>
    world.turn({ text: thought, calls: JSON.parse(text) as ScriptedCall[] }),
  ),
  step('the agent says {string} and calls {string}', (world, text: string, name: string) =>
    world.call(name, {}, text),
  ),
  step('the agent repeats itself with {string} and calls {string}', (world, text: string, name) =>
    world.turn({ text, verbatim: true, calls: [{ name: String(name), arguments: {} }] }),
  ),
  step('the agent replies {string} without a call', (world, text: string) => world.turn({ text })),
  step('the agent reads {string} from line {int} to {int}', read),
  step('the agent patches {string} with {string}', (world, path: string, content: string) =>
    world.call('apply_patch', { files: [{ path, content }] }),
  ),
  step('the agent patches line {int} of {string} with {string}', replace),
  step(
    'the agent patches line {int} of {string} with the key of the model',
    (world, line: number, path: string) => replace(world, line, path, `const key = '${canary}';`),
  ),
  step('the agent verifies', world => world.call('verify', {})),
  step('the agent finishes', world =>
    world.call('finish', { reason: 'The change is complete and proven by the tests.' }),
  ),
  step(
    'the agent plans {string} with at most {int} changed lines',
    (world, path: string, max: number) =>
      world.call('plan', planArgs([path], { max_changed_lines: max })),
  ),
  step('the agent gives up because {string}', (world, reason: string) =>
    world.call('abstain', { reason }),
  ),
  step('the agent keeps its think_log in {int} rounds', async (world, rounds: number) => {
    for (let i = 1; i <= rounds && !world.ended; i++)
      await world.call('ram_add', { key: 'think_log', value: `round ${i}` });
  }),
  step('the agent repeats {string} {int} times', async (world, name: string, times: number) => {
    for (let i = 0; i < times && !world.ended; i++) await world.call(name, {});
  }),
];

const then = [
  step('the guard decision should be {string}', (world, state: string) => {
    expect(last(world).decision, world.log.at(-1)).toBe(state);
  }),
  step('its severity should be {string}', (world, severity: string) => {
    expect(last(world).severity, world.log.at(-1)).toBe(severity);
  }),
  step(
    'the decision should name the rule {string} and section {string}',
    (world, code: string, section: string) => {
      expect(last(world)).toMatchObject({ code, section });
      expect(last(world).evidence).not.toBe('');
    },
  ),
  step('the decisions of the round should be {string}', (world, states: string) => {
    const wanted = states.split(', ');
    expect(
      world
        .calls()
        .slice(-wanted.length)
        .map(e => e.decision),
    ).toEqual(wanted);
  }),
  step('the last calls should be {string}', (world, tools: string) => {
    const names = world.calls().map(e => e.tool);
    expect(names.slice(-tools.split(', ').length).join(', ')).toBe(tools);
  }),
  step('the answer should mention {string}', (world, text: string) => {
    expect(world.answers.join('\n')).toContain(text);
  }),
  step('the answer should not mention {string}', (world, text: string) => {
    expect(world.answers.join('\n')).not.toContain(text);
  }),
  step('the request should mention {string}', (world, text: string) => {
    expect(JSON.stringify(world.request.messages)).toContain(text);
  }),
  step('the request should not mention {string}', (world, text: string) => {
    expect(JSON.stringify(world.request.messages)).not.toContain(text);
  }),
  step('the prompt should mention {string}', (world, text: string) => {
    expect(world.systemPrompt).toContain(text);
  }),
  step('the prompt should not mention {string}', (world, text: string) => {
    expect(world.systemPrompt).not.toContain(text);
  }),
  step(
    'reading {string} inside the session should give line {int} as {string}',
    async (world, path: string, line: number, text: string) => {
      const inside = await readInside(world, path);
      expect(inside.get(line)).toBe(text);
    },
  ),
  step(
    'reading {string} inside the session should say {string}',
    async (world, path: string, text: string) => {
      await readInside(world, path);
      expect(world.answers.at(-1)).toContain(text);
    },
  ),
  step('the phase should be {string}', (world, phase: string) => {
    expect(world.entries().at(-1)?.phase).toBe(phase);
  }),
  step('the run should go on', world => {
    expect(world.ended).toBe(false);
  }),
  step('the dispatcher requests {string}', async (world, id: string) => {
    await world.start();
    const files = openShipped(root).skills;
    const skillSource = { photon: files, repository: files };
    const { skills } = await loadSkills(['photon:*'], skillSource);
    const manager = await openSkills(
      { skills, leftOutSkills: new Map<string, string>(), skillSource, profile: shippedProfile() },
      { task: '', tools: [] },
    );
    const path = manager.pathOf(id)?.replace(/^photon:/, 'skills/');
    world.log.push(`dispatched: ${path}`);
  }),
  step('it should resolve to the file {string}', (world, path: string) => {
    expect(world.log.at(-1)).toBe(`dispatched: ${path}`);
    expect(existsSync(join(root, path))).toBe(true);
  }),
  step('the first skill of the prompt should be {string}', (world, name: string) => {
    const [, list = ''] = world.systemPrompt.split('# Skills');
    expect(list.split('\n')[1]).toMatch(new RegExp(`^- ${name}: `));
  }),
  step('the prompt should describe each shipped skill', async world => {
    const files = openShipped(root).skills;
    const { skills } = await loadSkills(['photon:*'], { photon: files, repository: files });
    expect(skills.length).toBeGreaterThanOrEqual(12);
    for (const { name, description } of skills)
      expect(world.systemPrompt).toContain(`- ${name}: ${description}`);
  }),
  step('the shipped skills are checked', async world => {
    world.checks = await checkAll(openShipped(root).skills);
  }),
  step('this skill is checked:', async (world, text: string) => {
    const path = join(world.folder, 'checked', 'greet', 'SKILL.md');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    world.checks = await checkAll(openFolderFiles(join(world.folder, 'checked')));
  }),
  step('each should be complete', world => {
    expect(world.checks.length).toBeGreaterThanOrEqual(12);
    for (const { name, gaps, role, plan } of world.checks) {
      expect(gaps, name).toEqual([]);
      expect(role, name).not.toBeUndefined();
      expect(plan, name).not.toBeUndefined();
    }
  }),
  step(
    'it should be incomplete at {string} because {string}',
    (world, key: string, reason: string) => {
      expect(world.checks.flatMap(c => c.gaps)).toContainEqual({ key, reason });
      expect(world.checks[0]?.plan).toBeUndefined();
    },
  ),
  step('it should resolve to nothing', world => {
    expect(world.log.at(-1)).toBe('dispatched: undefined');
  }),
];

export const runSteps = [...given, ...when, ...then];
