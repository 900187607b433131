import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coreTools, openSkills, skillMessages, toolNames } from '../../src/agent/context/skills.ts';
import { checkSkill } from '../../src/skills/check-skill.ts';
import { maxDiscoveryBytes, renderDiscovery, searchSkills } from '../../src/skills/discovery.ts';
import { loadSkills } from '../../src/skills/load.ts';
import { renderNewSkill } from '../../src/skills/new-skill.ts';
import type { Skill } from '../../src/skills/skill.ts';
import { readSkillFolder } from '../../src/skills/skill-manager.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../src/workspace/trusted/trusted-files.ts';
import { shippedProfile } from '../doubles/engine.ts';
import { discard, makeFolder, root } from '../harness.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => discard(folder));

const photon = openShipped(root).skills;
const profile = shippedProfile('photon');
const words = skillMessages(profile);

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Writes a skill with the front matter that the test states, and no more. */
function skill(name: string, front: string, body = `Kernel of ${name}.`): void {
  put(
    `skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: About ${name}.\n${front}\n---\n${body}\n`,
  );
}

async function manager(task = '') {
  const skillSource = { photon, repository: openFolderFiles(folder) };
  const { skills } = await loadSkills(['skills'], skillSource);
  const allowed = { skills, leftOutSkills: new Map<string, string>(), skillSource, profile };
  return openSkills(allowed, { task, tools: toolNames });
}

describe('the skill manager', () => {
  it('activates a skill after those it requires, and gives their kernels', async () => {
    skill('scan', 'allowed-tools: grep');
    skill('modify', 'allowed-tools: apply_patch\nphoton: { requires: { skills: [scan] } }');
    const skills = await manager();
    expect(skills.getActiveSkillsPrompt()).toBe('');
    const answer = await skills.activate('modify');
    expect(answer).toMatchObject({
      ok: true,
      activated: [
        { name: 'scan', body: { core: 'Kernel of scan.', rest: [] } },
        { name: 'modify', body: { core: 'Kernel of modify.', rest: [] } },
      ],
    });
    expect(skills.getActiveSkills()).toEqual(['scan', 'modify']);
    expect(skills.getActiveSkillsPrompt()).toContain('# Active skill: scan');
    expect(skills.getActiveSkillsPrompt()).not.toContain('Kernel of');
  });

  it('takes away what only the deactivated skill required', async () => {
    skill('scan', 'allowed-tools: grep');
    skill('modify', 'allowed-tools: apply_patch\nphoton: { requires: { skills: [scan] } }');
    skill('other', 'allowed-tools: run_command\nphoton: { requires: { skills: [scan] } }');
    const skills = await manager();
    await skills.activate('modify');
    await skills.activate('other');
    expect(skills.deactivate('modify').ok).toBe(true);
    expect(skills.getActiveSkills()).toEqual(['scan', 'other']);
    expect(skills.deactivate('scan')).toEqual({ ok: false, reason: 'scan is required by other' });
    expect(skills.deactivate('modify')).toEqual({ ok: false, reason: 'modify is not active' });
    skills.deactivateAll();
    expect(skills.getActiveSkills()).toEqual([]);
    expect(skills.getActiveSkillsPrompt()).toBe('');
    expect(skills.grantedTools()).toEqual([]);
  });

  it('permits the union of what active skills allow, of tools that exist', async () => {
    skill('one', 'allowed-tools: grep apply_patch Bash(git:*)');
    skill('two', 'allowed-tools: apply_patch run_command teleport');
    skill('none', 'license: MIT');
    const skills = await manager();
    await skills.activate('none');
    expect(skills.grantedTools()).toEqual([]);
    await skills.activate('one');
    await skills.activate('two');
    expect([...skills.grantedTools()].sort()).toEqual(['apply_patch', 'grep', 'run_command']);
  });

  it.each<[string, string | Buffer, string]>([
    ['hidden text', 'a\u200bb', 'SKILL.md:5:2: contains the hidden character U+200B'],
    ['a NUL', 'a\0b', 'contains a NUL character'],
    ['what is not UTF-8', Buffer.from([0x61, 0xff]), 'is not UTF-8'],
  ])('a body with %s activates nothing', async (_name, body, says) => {
    const head = '---\nname: x\ndescription: d\n---\n';
    put('skills/x/SKILL.md', Buffer.concat([Buffer.from(head), Buffer.from(body)]));
    const skills = await manager();
    expect(await skills.activate('x')).toMatchObject({
      ok: false,
      reason: expect.stringContaining(says),
    });
    expect(skills.getActiveSkills()).toEqual([]);
  });

  it('reads files of active skills and of no other, and nothing outside their folders', async () => {
    skill('x', 'allowed-tools: grep');
    put('skills/x/references/a.md', 'Reference.\n');
    put('skills/secret.md', 'Outside.\n');
    put('skills/x/assets/logo.bin', Buffer.from([0, 1]));
    put('skills/x/references/hidden.md', 'a\u{e0041}b');
    const skills = await manager();
    expect(await skills.readFile('x', 'references/a.md')).toBeNull();
    await skills.activate('x');
    expect(await skills.readFile('x', 'references/a.md')).toBe('Reference.\n');
    expect(await skills.readFile('x', '../secret.md')).toBeNull();
    expect(await skills.readFile('x', 'assets/logo.bin')).toBeNull();
    await expect(skills.readFile('x', 'references/hidden.md')).rejects.toThrow('U+E0041');
  });
});

it('a skill that was left out blocks no loaded one of its name', async () => {
  skill('a', '');
  const skillSource = { photon, repository: openFolderFiles(folder) };
  const { skills } = await loadSkills(['skills'], skillSource);
  const leftOutSkills = new Map([
    ['a', 'taken'],
    ['b', 'broken'],
  ]);
  const open = await openSkills(
    { skills, leftOutSkills, skillSource, profile },
    { task: '', tools: toolNames },
  );
  expect(open.unready()).toEqual(new Map([['b', 'broken']]));
  expect(await open.activate('a')).toMatchObject({ ok: true });
});

describe('the discovery prompt', () => {
  const made = (count: number): Skill[] =>
    Array.from({ length: count }, (_, i) => ({
      ...shippedSkills[0],
      name: `skill-${i}`,
      description: `Handles the area of work number ${i}, which has a description of usual length.`,
    })) as Skill[];
  let shippedSkills: readonly Skill[];
  beforeEach(async () => {
    ({ skills: shippedSkills } = await loadSkills(['photon:*'], { photon, repository: photon }));
  });

  it.each([0, 1, 10, 200, 2000])('is bounded at %i skills', count => {
    const { text, more } = renderDiscovery(made(count), 'nothing that fits', words);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxDiscoveryBytes);
    const shown = new Set(text.match(/skill-\d+/g));
    const unnamed = Number(/^(\d+) more: /m.exec(text)?.[1] ?? 0);
    expect(shown.size + unnamed).toBe(count);
    expect(more).toBe(count > 12);
    if (count > 0) expect(text).toContain('- skill-0: Handles the area of work number 0');
  });

  it('describes every shipped skill where none fits, and only those that do where some do', () => {
    const none = renderDiscovery(shippedSkills, '', words);
    expect(none.more).toBe(false);
    for (const { name, description } of shippedSkills)
      expect(none.text).toContain(`- ${name}: ${description}`);
    const some = renderDiscovery(shippedSkills, 'Make the failing test pass', words);
    expect(some.text).toContain('- test-repair: ');
    expect(some.text).not.toContain('- todo-to-issue-plan: ');
    for (const { name } of shippedSkills) expect(some.text).toContain(name);
    expect(some.more).toBe(false);
  });

  it.each([
    ['The test suite fails on main; make it pass', 'test-repair'],
    ['Write unit tests for src/price.js', 'test-writing'],
    ['eslint reports 14 problems, fix the lint findings', 'lint-repair'],
    ['tsc shows type errors', 'type-repair'],
    ['Update lodash to version 5', 'dependency-update'],
    ['The README is out of date, bring the documentation in line', 'docs-sync'],
    ['Remove unused functions and dead code', 'dead-code-removal'],
    ['The CI workflow failed, here is the log', 'ci-repair'],
    ['Carry out the review comments on this pull request', 'review-repair'],
    ['Make a plan of issues out of the TODO notes', 'todo-to-issue-plan'],
    ['Fix CVE-2024-1 from the security advisory', 'security-advisory-repair'],
    ['Rename orderTotal and change the code that calls it', 'code-modify'],
  ])('%s: %s comes first', (task, first) => {
    const { text } = renderDiscovery(shippedSkills, task, words);
    expect(text.split('\n')[1]).toMatch(new RegExp(`^- ${first}: `));
  });

  it('a search finds what is not shown, among 2,000', () => {
    const needle = {
      ...shippedSkills[0],
      name: 'ledger-export',
      description: 'Exports the ledger.',
    };
    const all = [...made(2000), needle as Skill];
    expect(renderDiscovery(all, 'nothing of it', words).text).not.toContain('ledger-export');
    expect(renderDiscovery(all, 'export the ledger', words).text.split('\n')[1]).toContain(
      'ledger-export',
    );
    expect(searchSkills(all, 'ledger')[0]?.name).toBe('ledger-export');
    expect(searchSkills(all, 'no such words xyzzy plugh')).toEqual([]);
  });

  it('ranks by pairs of letters where a script parts no words', () => {
    const scan = { ...shippedSkills[0], name: 'scan', description: '扫描项目文件' } as Skill;
    const { text } = renderDiscovery([...made(300), scan], '扫描项目中所有文件', words);
    expect(text.split('\n')[1]).toContain('- scan: ');
  });
});

describe('a skill is complete when role and plan can be built from its interface', () => {
  const tools = { all: toolNames, core: coreTools };

  it('every shipped skill is', async () => {
    const { skills } = await loadSkills(['photon:*'], { photon, repository: photon });
    expect(skills.length).toBeGreaterThanOrEqual(12);
    for (const each of skills) {
      const { kernel, files } = await readSkillFolder(each, photon);
      const { gaps, role, plan } = checkSkill({ skill: each, kernel, files }, tools);
      expect(gaps, each.name).toEqual([]);
      expect(role?.tools, each.name).toEqual(each.allowedTools);
      expect(plan?.steps.length, each.name).toBeGreaterThanOrEqual(3);
    }
  });

  async function check(front: string, body = 'x'.repeat(100), files: readonly string[] = []) {
    put(
      'skills/x/SKILL.md',
      `---\nname: x\ndescription: Does what it is there for.\n${front}\n---\n${body}\n`,
    );
    for (const file of files) put(`skills/x/${file}`, 'text\n');
    const repository = openFolderFiles(folder);
    const {
      skills: [found],
    } = await loadSkills(['skills'], { photon, repository });
    if (found === undefined) throw new Error('no skill');
    const read = await readSkillFolder(found, repository);
    return checkSkill({ skill: found, ...read }, tools);
  }

  const whole = `allowed-tools: apply_patch
photon:
  version: "1.0.0"
  constraints: [Be brief.]
  interface:
    role: Somebody who answers.
    input: What must be given.
    steps: [Find it with grep., Change it with apply_patch.]
    output: A patch of it.
    success: verify passes.
    abstain: There is nothing.`;

  it('a whole one has no gaps, and its plan names the tools of each step', async () => {
    const { gaps, role, plan } = await check(whole);
    expect(gaps).toEqual([]);
    expect(role).toEqual({
      role: 'Somebody who answers.',
      given: 'What must be given.',
      tools: ['apply_patch'],
      withdraws: 'There is nothing.',
    });
    expect(plan?.steps.map(s => s.tools)).toEqual([['grep'], ['apply_patch']]);
  });

  it.each<[string, string, string]>([
    ['role', whole.replace(/^ {4}role:.*\n/m, ''), 'photon.interface.role'],
    ['input', whole.replace(/^ {4}input:.*\n/m, ''), 'photon.interface.input'],
    [
      'steps',
      whole.replace(/steps: .*/, 'steps: [Change with apply_patch.]'),
      'photon.interface.steps',
    ],
    ['output', whole.replace(/^ {4}output:.*\n/m, ''), 'photon.interface.output'],
    ['success', whole.replace(/^ {4}success:.*\n/m, ''), 'photon.interface.success'],
    ['abstain', whole.replace(/\n {4}abstain:.*/, ''), 'photon.interface.abstain'],
    ['constraints', whole.replace(/^ {2}constraints:.*\n/m, ''), 'photon.constraints'],
    ['version', whole.replace(/^ {2}version:.*\n/m, ''), 'photon.version'],
    [
      'a tool that a step uses',
      whole.replace('with grep', 'with run_command'),
      'photon.interface.steps',
    ],
    [
      'a step for a tool',
      whole.replace('apply_patch\n', 'apply_patch run_command\n'),
      'photon.interface.steps',
    ],
    [
      'a tool that exists',
      whole.replace('apply_patch\n', 'apply_patch Task(x)\n'),
      'allowed-tools',
    ],
    ['a class of paths', `${whole}\n  guards: { paths: ["@nothing"] }`, 'photon.guards.paths'],
  ])('without %s it says so, with the reason', async (_name, front, key) => {
    const { gaps } = await check(front);
    expect(gaps.map(g => g.key)).toEqual([key]);
    expect(gaps[0]?.reason.length).toBeGreaterThan(15);
  });

  it('a kernel that says nothing, or names a file that is not there, is a gap', async () => {
    expect((await check(whole, 'Short.')).gaps.map(g => g.key)).toEqual(['kernel']);
    const body = `${'x'.repeat(100)} see references/a.md and scripts/b.mjs.`;
    expect((await check(whole, body, ['references/a.md'])).gaps).toEqual([
      { key: 'kernel', reason: 'it names scripts/b.mjs, which is not in the folder' },
    ]);
    expect((await check(whole, body, ['references/a.md', 'scripts/b.mjs'])).gaps).toEqual([]);
  });

  it('a new skill passes as it stands', async () => {
    put('skills/x/SKILL.md', renderNewSkill('x'));
    const repository = openFolderFiles(folder);
    const {
      skills: [found],
    } = await loadSkills(['skills'], { photon, repository });
    if (found === undefined) throw new Error('no skill');
    const read = await readSkillFolder(found, repository);
    expect(checkSkill({ skill: found, ...read }, tools).gaps).toEqual([]);
  });
});
