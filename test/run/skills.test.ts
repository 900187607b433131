/** Skills as a run meets them: the skill document's worked example, what is refused, what is shown and what is not. */
import { describe, expect, it } from 'vitest';
import type { Body } from '../doubles/model.ts';
import { begin, done, prove, repair } from '../doubles/sample.ts';
import { activate, call, giveUp, planOf, say } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { type Played, play } from './scenario.ts';

const plan = (...files: string[]) => planOf(files);
const read = (path: string, more: object = {}) =>
  call('read_code_block', { requests: [{ file_path: path, ...more }] });

const config = (...roots: string[]) => ({
  '.photon/config.json': JSON.stringify({ agent: { skillRoots: roots } }),
});
/** A skill with the front matter that the test states, and no more. */
const skill = (name: string, front: string, body = `Kernel of ${name}.`) => ({
  [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: About ${name}.\n${front}\n---\n${body}\n`,
});

const getBody = (run: Played, i: number): Body => {
  const body = run.model.requests[i]?.body;
  if (body === undefined) throw new Error(`there was no request ${i}`);
  return body;
};
const systemOf = (body: Body) => String(body.messages[0]?.content);
const toolsOf = (body: Body) =>
  (body.tools ?? []).map(t => (t.type === 'function' ? t.function.name : ''));
const told = (run: Played) =>
  (run.model.requests.at(-1)?.body.messages ?? [])
    .filter(m => m.role === 'tool')
    .map(m => String(m.content))
    .join('\n');

const noInterface =
  'It has no interface, so role and plan are what its text says; the tools that it names are granted.';

describe("the skill document's worked example, message for message", () => {
  // a skill has a name, a description, tools and constraints; project_scan first, code_modify to change something
  const files = {
    ...config('skills'),
    ...skill(
      'code_modify',
      'tools: [apply_patch]\nconstraints: [One file at a time]',
      '# How to modify',
    ),
    ...skill(
      'project_scan',
      'tools: [list_files, search_text]\nconstraints: [Only read specific files, Do not overwrite]',
    ),
    'src/page.html': '<p></p>\n',
    'src/main.py': 'def main():\n    return total([1, 2])\n',
    'src/utils.py': 'def total(items):\n    return sum(items) / 0\n',
  };
  const content = '    return sum(items)';
  const script = [
    say(activate('project_scan')),
    say(plan('src/utils.py', 'src/main.py'), call('list_files', { pattern: '**/*.py' })),
    say(activate('code_modify')),
    say(read('src/utils.py', { start_line: 1, end_line: 2 })),
    say(
      call('skill_deactivate', { skill_name: 'project_scan' }),
      call('apply_patch', {
        files: [{ path: 'src/utils.py', edits: [{ start_line: 2, content }] }],
      }),
    ),
    prove,
    done,
  ];

  it('discovery, activation, use, a second skill, a patch', async () => {
    const scenario = {
      files,
      script,
      task: 'Scan all Python files of the project and repair what divides by zero.',
      inputs: { 'test-command': 'test "$(grep -c / src/utils.py)" = 0' },
    };
    await play(scenario, run => {
      expect(run.outcome, run.log).toMatchObject({ status: 'committed' });
      const [start, first, second, third, fourth, fifth] = [0, 1, 2, 3, 4, 5].map(i =>
        getBody(run, i),
      ) as [Body, Body, Body, Body, Body, Body];

      // at the start names and descriptions, nothing else, and no skill
      expect(systemOf(start)).toContain(
        '# Skills: none is active before skill_activate\n- project_scan: About project_scan.',
      );
      for (const not of ['Active skill', 'Allowed tools', 'Do not overwrite', 'Kernel of'])
        expect(JSON.stringify(start.messages)).not.toContain(not);

      // the answer to the activation: tools, constraints and the kernel
      const scan = [
        '# Active skill: project_scan',
        'About project_scan.',
        'Allowed tools: list_files, search_text',
        'Constraints:',
        '- Only read specific files',
        '- Do not overwrite',
      ].join('\n');
      expect(first.messages.map(m => m.role)).toEqual(['system', 'user', 'assistant', 'tool']);
      expect(first.messages[3]?.content).toBe(
        `{"success":true,"message":"Skill activated: project_scan","active_skills":["project_scan"]}\n\n${scan}\n${noInterface}\nKernel of project_scan.`,
      );
      // an activation changes nothing of what earlier requests begin with
      for (const body of [first, second, third, fourth]) {
        expect(toolsOf(body)).toEqual(toolsOf(start));
        expect(body.messages.slice(0, start.messages.length)).toEqual(start.messages);
      }
      expect(toolsOf(start)).toEqual(expect.arrayContaining(['apply_patch', 'verify']));
      // no skill of the allowlist grants it
      expect(toolsOf(fifth)).not.toContain('run_command');

      // the list of files
      expect(String(second.messages.at(-1)?.content)).toContain('src/main.py');
      expect(String(second.messages.at(-1)?.content)).toContain('src/utils.py');
      expect(String(second.messages.at(-1)?.content)).not.toContain('src/page.html');

      // the second skill beside the first
      expect(String(third.messages.at(-1)?.content)).toContain(
        `"active_skills":["project_scan","code_modify"]}\n\n# Active skill: code_modify\nAbout code_modify.`,
      );
      expect(JSON.stringify(third.messages)).toContain('# Active skill: project_scan');
      expect(JSON.stringify(third.messages)).toContain(`${noInterface}\\n# How to modify`);
      expect(String(fourth.messages.at(-1)?.content)).toContain('2\t    return sum(items) / 0');

      // what a skill told is gone with it
      expect(JSON.stringify(fifth.messages)).not.toContain('# Active skill: project_scan');
      expect(JSON.stringify(fifth.messages)).not.toContain('Do not overwrite');
      expect(JSON.stringify(fifth.messages)).not.toContain('Kernel of project_scan');
      expect(fifth.messages[3]?.content).toBe('[project_scan: no longer active]');
      expect(JSON.stringify(fifth.messages)).toContain('# How to modify');

      for (const name of ['project_scan', 'code_modify'])
        expect(run.outcome.notes).toContain(`Skill ${name}: i${noInterface.slice(1)}`);
      expect(run.outcome.skills).toEqual([
        { name: 'project_scan', version: '', activations: 1, rounds: 4, calls: 1 },
        { name: 'code_modify', version: '', activations: 1, rounds: 4, calls: 1 },
      ]);
      const { store } = run.github;
      expect(store.git(['show', `${run.outcome.delivered.branch}:src/utils.py`])).toContain(
        content,
      );
    });
  });

  it.runIf(playsVariants)(
    'its own task, call for call: the listing is a part of planning',
    async () => {
      const answer = '- `src/utils.py` divides by zero: return the sum.';
      const listing = call('list_files', { pattern: '**/*.py' });
      const script = [
        say(activate('project_scan')),
        say(listing),
        say(plan('**/*.py'), listing),
        say(activate('code_modify')),
        say(call('search_text', { pattern: '/ 0' })),
        say(call('finish', { reason: 'All files were looked at.', answer })),
      ];
      await play({ files, script, task: '扫描项目中所有 Python 文件,生成修改建议' }, run => {
        expect(run.outcome, run.log).toMatchObject({
          status: 'answered',
          answer,
          decisions: [],
          skills: [
            { name: 'project_scan', calls: 3 },
            { name: 'code_modify', calls: 0 },
          ],
        });
        expect(told(run)).toContain('src/utils.py');
        expect(run.outcome.patch.files).toEqual([]);
      });
    },
  );
});

describe('a skill that may not be used', () => {
  it('a task that names a skill which was left out: the run does not start', async () => {
    const task = { name: 'x', prompt: 'Fix orderTotal.', skills: ['x'] };
    const settings = { agent: { skillRoots: ['skills'] }, maintenance: [task] };
    const files = {
      '.photon/config.json': JSON.stringify(settings),
      ...skill('x', 'license: [no]'),
      ...skill('y', ''),
    };
    const event = { name: 'schedule', payload: {} };
    await play({ files, script: [giveUp], event, task: '', movesBase: true }, run => {
      expect(run.outcome).toMatchObject({ status: 'failed', code: 'SKILL_INVALID' });
      expect(run.outcome.message).toContain('skills/x/SKILL.md: license: ');
      expect(run.model.requests).toEqual([]);
    });
  });

  it.runIf(playsVariants)(
    'odd characters in names of its files: they are quoted, and a read of one ends nothing',
    async () => {
      const files = {
        ...config('skills'),
        ...skill('x', 'allowed-tools: grep'),
        'skills/x/references/größe.md': 'Sizes.\n',
        'skills/x/references/tab\there.md': 'Never seen.\n',
        'skills/x/references/zero\u200bwidth.md': 'Never seen.\n',
      };
      const script = [
        say(plan('src/price.js'), activate('x')),
        say(read('skill:x/references/größe.md')),
        say(read('skill:x/references/tab\there.md')),
        say(read('skill:x/references\\größe.md')),
        giveUp,
      ];
      await play({ files, script }, run => {
        expect(run.outcome).toMatchObject({
          status: 'abstained',
          code: 'ABSTAINED',
          decisions: [],
        });
        const text = told(run);
        expect(text).toContain('To read with read_code_block: skill:x/references/größe.md');
        expect(text).toContain(
          'Not readable, because of a character in their names: "references/tab\\there.md", "references/zero\\u200bwidth.md"',
        );
        expect(text).toContain('1\tSizes.');
        expect(text).toContain('"skill:x/references/tab\\there.md": the skill has no text file');
        expect(text).not.toContain('Never seen.');
      });
    },
  );

  it('a missing tool, a circle and a wrong version: told, counted, not active', async () => {
    const files = {
      ...config('skills'),
      ...skill('tool', 'photon: { requires: { tools: [teleport] } }'),
      ...skill('circle', 'photon: { requires: { skills: [round] } }'),
      ...skill('round', 'photon: { requires: { skills: [circle] } }'),
      ...skill('old', 'photon: { version: "1.1.0" }'),
      ...skill('new', 'photon: { requires: { skills: ["old@^1.2"] } }'),
    };
    const script = [
      say(activate('tool'), activate('circle'), activate('new'), activate('old')),
      giveUp,
    ];
    await play({ files, script }, run => {
      expect(run.outcome.decisions).toContainEqual({
        code: 'SKILL_REQUIREMENT',
        state: 'abstain',
        severity: 'correct',
        section: '§5.4',
        tool: 'skill_activate',
        count: 3,
      });
      expect(told(run)).toContain(
        'SKILL_REQUIREMENT: tool requires tools that do not exist: teleport',
      );
      expect(told(run)).toContain(
        'SKILL_REQUIREMENT: skills require each other: circle > round > circle',
      );
      expect(told(run)).toContain(
        'SKILL_REQUIREMENT: new requires old@^1.2, but the allowlist has 1.1.0',
      );
      expect(run.outcome.skills).toEqual([
        expect.objectContaining({ name: 'old', version: '1.1.0' }),
      ]);
    });
  });
});

describe('files of a skill', () => {
  const files = {
    ...config('skills', 'photon:security-advisory-repair'),
    ...skill('x', 'allowed-tools: run_command'),
    'skills/x/references/a.md': 'The trusted reference.\nSecond line.\n',
    'skills/x/references/long.md': 'line\n'.repeat(900),
    'skills/x/scripts/say.sh': '#!/bin/sh\necho "script says $1"\n',
  };

  it('are read by address when the skill is active, in bounds, and scripts run by run_command', async () => {
    const script = [
      say(plan('src/price.js'), read('skill:x/references/a.md')),
      say(activate('x'), activate('security-advisory-repair')),
      say(
        read('skill:x/references/a.md', { start_line: 2, end_line: 9 }),
        read('skill:x/references/long.md'),
        read('photon:security-advisory-repair/references/weaknesses.md', {
          start_line: 1,
          end_line: 5,
        }),
        read('skill:x/references/none.md'),
        call('run_command', { command: '.photon/active-skills/x/scripts/say.sh hello' }),
        call('run_command', { command: 'ls -a' }),
      ),
      giveUp,
    ];
    await play({ files, script }, run => {
      expect(told(run)).toContain('SKILL_INACTIVE: skill "x" is not active');
      expect(told(run)).toContain(
        'To read with read_code_block: skill:x/references/a.md, skill:x/references/long.md',
      );
      expect(told(run)).toContain(
        'To run with run_command: .photon/active-skills/x/scripts/say.sh',
      );
      expect(told(run)).toContain('skill:x/references/a.md L2-2 of 2\n2\tSecond line.');
      expect(told(run)).toContain('skill:x/references/long.md L1-500 of 900');
      expect(told(run)).toContain('22 path traversal');
      expect(told(run)).toContain(
        'skill:x/references/none.md: the skill has no text file of this name.',
      );
      expect(told(run)).toContain('script says hello');
    });
  });
});

describe.runIf(playsVariants)('many skills', () => {
  const many = Object.assign(
    {},
    ...Array.from({ length: 200 }, (_, i) => skill(`area-${i}`, 'allowed-tools: apply_patch')),
  ) as Record<string, string>;
  const needle = skill('ledger-export', 'allowed-tools: apply_patch');

  it('the first request stays bounded, and skill_search finds the rest', async () => {
    const files = { ...config('skills'), ...many, ...needle };
    const script = [
      say(call('skill_search', { query: 'ledger' }), call('skill_search', { query: 'xyzzy' })),
      say(activate('ledger-export')),
      giveUp,
    ];
    await play({ files, script }, run => {
      const first = getBody(run, 0);
      expect(run.model.requests[0]?.bytes).toBeLessThan(12_000);
      expect(systemOf(first)).toMatch(/\d+ more: find them with skill_search\.$/m);
      expect(systemOf(first)).not.toContain('ledger-export');
      expect(toolsOf(first)).toContain('skill_search');
      expect(told(run)).toContain('- ledger-export: About ledger-export.');
      expect(told(run)).toContain('No skill matches; 201 are available.');
      expect(run.outcome.skills).toMatchObject([{ name: 'ledger-export' }]);
    });
  });
});

it('agent.skill_roots is read as agent.skillRoots', async () => {
  const files = { '.photon/config.json': '{"agent":{"skill_roots":["photon:test-repair"]}}' };
  const asked = say(activate('test_repair'), activate('code-modify'));
  await play({ files, script: [asked, giveUp] }, run => {
    expect(run.outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
    expect(told(run)).toMatch(
      /^\{"success":false,"error":"SKILL_NOT_ALLOWED: skill \\"test_repair\\" is not on the allowlist; similar: test-repair\./,
    );
    expect(told(run)).toContain(
      'SKILL_NOT_ALLOWED: skill \\"code-modify\\" is not on the allowlist',
    );
  });
  const both = {
    '.photon/config.json':
      '{"agent":{"skill_roots":["photon:*"],"skillRoots":["photon:test-repair"]}}',
  };
  await play({ files: both, script: [begin, repair] }, ({ outcome }) => {
    expect(outcome).toMatchObject({ status: 'failed', code: 'CONFIG_INVALID' });
    expect(outcome.message).toContain('must not differ');
  });
});
