import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ruleCodes } from '../../src/guard/policy/constitution.ts';
import { tools } from '../../src/tools/index.ts';
import type { Script, ScriptedCall } from '../doubles/model.ts';
import { begin, done, prove, repair } from '../doubles/sample.ts';
import { activate, call, command, giveUp, say, turn } from '../doubles/steps.ts';
import { canary, isXml, profile, root } from '../harness.ts';
import { has } from '../programs.ts';
import { playsVariants, sample } from '../seed.ts';
import { opening, play, type Scenario, toldOf } from './scenario.ts';
import { playAtTerminal } from './terminal-run.ts';

const read = (file: string, more: object = {}) =>
  turn('read_code_block', { requests: [{ file_path: file, ...more }] });
const plan = (files: string[], more: object = {}) =>
  turn('plan', { entry_symbols: ['x'], affected_files: files, scope: 'x', ...more });
const skill = say(activate('code-modify'));
const list = turn('list_project_files');
const undo = turn('undo');
/** Looks are judged by the letter; otherwise Photon makes the step that they lack. */
const byLetter = { 'constitution.md': '---\nlimits: { reads: strict }\n---\n' };

/** Violations: the run ends in failed with the rule's code, after the turns given. */
const violations: Record<
  string,
  {
    script: Script;
    files?: Record<string, string | { mode: '120000' | '160000'; content: string }>;
  }
> = {
  READ_LIMIT: {
    files: byLetter,
    script: [begin, list, read('src/price.js', { start_line: 1, end_line: 501 })],
  },
  READ_UNBOUNDED: { files: byLetter, script: [begin, list, read('src')] },
  PATH_ESCAPE: { script: [begin, list, read('../../etc/passwd', { start_line: 1 })] },
  WRITE_BYPASS: {
    files: byLetter,
    script: [begin, say(command('echo broken > src/price.js'))],
  },
  PATH_PROTECTED: {
    script: [
      skill,
      plan(['.github/workflows/ci.yml']),
      list,
      turn('apply_patch', { files: [{ path: '.github/workflows/ci.yml', content: 'on: push\n' }] }),
    ],
  },
  SECRET_IN_PATCH: {
    script: [
      ...opening,
      turn('apply_patch', {
        files: [
          { path: 'src/price.js', edits: [{ start_line: 4, content: `const key = '${canary}';` }] },
        ],
      }),
    ],
  },
};

const shippedPrompts = JSON.parse(readFileSync(join(root, `prompts/${profile}.json`), 'utf8'));
const withoutVerify = tools.map(t => t.name).filter(name => name !== 'verify');

const ownSkill = (front: string) => ({
  '.photon/config.json': '{"agent":{"skillRoots":["tools/own"]}}',
  'tools/own/SKILL.md': `---\n${front}\n---\n`,
});

/** Abstentions: the call is refused with the code, the run goes on. */
const abstentions: Record<string, Pick<Scenario, 'files' | 'config'> & { script: Script }> = {
  SKILL_NOT_ALLOWED: { script: [say(activate('root-shell')), giveUp] },
  PLAN_MISSING: { script: [undo, giveUp] },
  PHASE_ORDER: { script: [begin, prove, giveUp] },
  PLAN_SCOPE: {
    script: [
      skill,
      plan(['README.md']),
      list,
      read('src/price.js', { start_line: 1, end_line: 9 }),
      repair,
      giveUp,
    ],
  },
  PATH_FILTERED: {
    files: { '.gitattributes': '*.csv filter=lfs\n' },
    script: [skill, plan(['data/rates.csv']), giveUp],
  },
  NAVIGATION_MISSING: { script: [begin, read('package.jsn', { start_line: 1 }), giveUp] },
  STALE_READ: {
    script: [begin, read('src/price.js', { start_line: 1, end_line: 2 }), repair, giveUp],
  },
  // finish verifies by itself, where the profile lets it
  VERIFY_MISSING: {
    files: {
      '.photon/agent.json': JSON.stringify({ ...shippedPrompts, allowed_tags: withoutVerify }),
    },
    config: { agent: { profile: '.photon/agent.json' } },
    script: [...opening, repair, done, giveUp],
  },
  THINK_MISSING: { script: [begin, { calls: undo.calls }, giveUp] },
  // a tag of no tool is refused before the guard: test/run/xml-replies.test.ts
  TOOL_NOT_PERMITTED: {
    script: [isXml ? turn('syntax_check', {}) : turn('delete_host_files', { path: '/' }), giveUp],
  },
  SKILL_REQUIREMENT: {
    files: ownSkill('name: own\ndescription: d\nphoton: { requires: { tools: [teleport] } }'),
    script: [say(activate('own')), giveUp],
  },
  SKILL_INACTIVE: { script: [begin, read('photon:code-modify/SKILL.md'), giveUp] },
  SKILL_LIMIT: {
    files: { 'constitution.md': '---\nlimits: { active_skills: 0 }\n---\n' },
    script: [skill, giveUp],
  },
  SKILL_BUDGET: {
    files: ownSkill(
      'name: own\ndescription: d\nallowed-tools: run_command\nphoton: { budgets: { calls: 0 } }',
    ),
    script: [say(activate('own')), plan(['src/price.js']), say(command('ls')), giveUp],
  },
  SKILL_GUARD: {
    script: [
      begin,
      plan(['test/price.test.js']),
      list,
      turn('apply_patch', { files: [{ path: 'test/price.test.js', content: '' }] }),
      giveUp,
    ],
  },
  ARGUMENTS_INVALID: { script: [begin, turn('grep', { pattern: 'x', offset: 'many' }), giveUp] },
  CLARIFY_UNFOUNDED: {
    script: [
      begin,
      turn('clarify', {
        reason: 'unresolved_symbol',
        question: 'Where is it?',
        symbol: 'orderTotal',
      }),
      giveUp,
    ],
  },
  CALL_MISSING: { script: [{ text: 'I believe that it is fine already.' }, giveUp] },
};

/** Some of each: every rule is held by itself in test/guard, and what is judged does not know of profiles. */
const driven = <T>(table: Readonly<Record<string, T>>) =>
  sample(`rules for ${profile}`, Object.entries(table), 1);

/** The judgement of a call does not know whether it came in tags: test/agent/protocols.test.ts. */
const once = it.runIf(!isXml || playsVariants);

describe('each rule of the table, driven through the model', () => {
  it.each(driven(violations))(
    '%s is a violation: the run fails with the code and nothing is written',
    async (code, scenario) => {
      await play(scenario, ({ outcome, github, ledger }) => {
        expect(outcome).toMatchObject({ status: 'failed', code });
        expect(outcome.decisions).toContainEqual(expect.objectContaining({ code, count: 1 }));
        expect(ledger).toContainEqual(
          expect.objectContaining({ decision: 'abstain', severity: 'abort', code }),
        );
        expect(github.writes()).toEqual([]);
      });
    },
  );

  it.each(driven(abstentions))(
    '%s abstains: the model is told what is missing',
    async (code, scenario) => {
      await play(scenario, ({ outcome, model, ledger }) => {
        expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
        expect(outcome.decisions).toContainEqual(expect.objectContaining({ code }));
        expect(ledger).toContainEqual(expect.objectContaining({ decision: 'abstain', code }));
        expect(toldOf(model)).toContain(`${code}: `);
      });
    },
  );

  it('every rule is driven here', () => {
    const all = [...Object.keys(violations), ...Object.keys(abstentions)];
    expect(all.sort()).toEqual([...ruleCodes].sort());
  });

  once(
    'a person at a terminal may have violations told; each is blocked and reported all the same',
    async () => {
      await playAtTerminal(
        {
          inputs: { 'max-violations': '1' },
          script: [begin, read('/etc/passwd', { start_line: 1 }), giveUp],
        },
        ({ outcome }) => {
          expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
          expect(outcome.decisions).toContainEqual(
            expect.objectContaining({ code: 'PATH_ESCAPE' }),
          );
        },
      );
    },
  );
});

describe('paths that lead nowhere good', () => {
  // one of each kind; test/guard/paths.test.ts has every spelling
  const bad = ['/etc/passwd', 'src/../../x', '.GIT/config', 'a\\b', '.git::$INDEX_ALLOCATION/x'];
  const calls = (path: string): ScriptedCall[] => [
    call('read_code_block', { requests: [{ file_path: path, start_line: 1 }] }),
    call('apply_patch', { files: [{ path, content: 'x' }] }),
    call('list_project_files', { folder: path }),
    call('grep', { pattern: 'x', folder: path }),
  ];

  /** Every tool tries each of the paths; a run is told of at most 20. */
  const expectEscapes = async (paths: readonly string[], more: Pick<Scenario, 'files'> = {}) => {
    const all = paths.flatMap(calls);
    for (let at = 0; at < all.length; at += 20) {
      const some = all.slice(at, at + 20);
      await playAtTerminal(
        {
          ...more,
          inputs: { 'max-violations': '20' },
          script: [begin, list, say(...some), giveUp],
        },
        ({ outcome, model }) => {
          expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
          const escapes = outcome.decisions
            .filter(d => d.code === 'PATH_ESCAPE')
            .reduce((sum, d) => sum + d.count, 0);
          expect(escapes).toBe(some.length);
          expect(toldOf(model)).not.toContain('root:x:0');
        },
      );
    }
  };

  once('are refused by every tool that takes a path, one code for all', () => expectEscapes(bad));

  once('links and submodules are no way through', () => {
    const files = {
      'notes.txt': { mode: '120000', content: '/proc/self/environ' },
      d: { mode: '120000', content: '/etc' },
      sub: { mode: '160000', content: '1'.repeat(40) },
    } as const;
    return expectEscapes(['notes.txt', 'd', 'd/passwd', 'sub', 'sub/x'], { files });
  });

  once('a link that leads inside is answered with its target, and the run goes on', () => {
    const files = {
      'docs/notes.md': { mode: '120000', content: '../README.md' },
      lib: { mode: '120000', content: 'docs/code' },
      'docs/code': { mode: '120000', content: '../src' },
    } as const;
    const looks = ['docs/notes.md', 'lib', 'lib/price.js'].flatMap(calls);
    const script = [begin, list, say(...looks), giveUp];
    return play({ files, script }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
      const told = toldOf(model);
      expect(told).toContain('docs/notes.md is a symbolic link to README.md');
      expect(told).toContain('lib is a symbolic link to src');
      expect(told).toContain('lib/price.js leads through a link to src/price.js');
    });
  });
});

describe('commands', () => {
  once('see no secret, no host and no way to the patch', async () => {
    const line =
      'env; cat /proc/*/environ | tr "\\0" "\\n"; ls -a; sed -n 1p src/price.js; echo "$GITHUB_OUTPUT done"';
    await play({ script: [begin, say(command(line)), giveUp] }, ({ model, outcome }) => {
      const told = toldOf(model);
      expect(told).not.toContain(canary);
      expect(told).not.toContain('INPUT_');
      expect(told).toContain('done');
      expect(outcome.sandbox.launcher).toBe(has('bwrap') ? 'bubblewrap' : 'namespaces');
      expect(outcome.sandbox.guarantees.every(g => g.holds)).toBe(true);
    });
  });

  once('cannot forge workflow commands through the log', async () => {
    const line =
      'echo "::set-output name=status::committed"; echo "  ::add-mask::a"; echo "x##[save-state name=k]v"; false';
    await play(
      {
        script: [begin, say(command(line)), giveUp],
        inputs: { 'test-command': line },
      },
      ({ log }) => {
        const own = /^::(group::|endgroup::|add-mask::|error |warning |set-output name=never)/;
        const commands = log
          .split('\n')
          .filter(line => /^\s*::/.test(line) || line.includes('##['));
        expect(commands.filter(line => !own.test(line))).toEqual([]);
      },
    );
  });
});
