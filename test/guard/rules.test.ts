import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Claim, PathFacts } from '../../src/guard/claim.ts';
import type { Constitution } from '../../src/guard/constitution.ts';
import { decide, decideAfter } from '../../src/guard/decide.ts';
import {
  addEvidence,
  beginRound,
  type Evidence,
  initialEvidence,
} from '../../src/guard/evidence.ts';
import { parseConstitution } from '../../src/guard/parse-constitution.ts';
import type { Case, JudgedCall } from '../../src/guard/rule.ts';
import { rules } from '../../src/guard/rules/index.ts';
import type { SkillGrant, SkillUse } from '../../src/guard/skill-grant.ts';
import { root } from '../harness.ts';

const policy = parseConstitution(
  readFileSync(join(root, 'constitution', 'photon.md'), 'utf8'),
  'photon.md',
);

/** A file of four lines, known and led to, with a plan for it: everything passes. */
const lines = ['one', 'two', 'three', 'four'];
const known = (...numbers: number[]) => new Map(numbers.map(n => [n, lines[n - 1] ?? '']));
const ready: Evidence = {
  ...initialEvidence({
    taskPaths: ['a.js'],
    coreTools: ['read_code_block', 'apply_patch', 'finish', 'run_command', 'clarify'],
    allowedSkills: ['code-modify'],
    unreadySkills: {},
    verificationWaived: false,
  }),
  phase: 'READ',
  thought: 'I need it.',
  plan: {
    entrySymbols: ['x'],
    affectedFiles: ['a.js', './b//c.js'],
    scope: 's',
    maxChangedLines: 5,
  },
  known: new Map([['a.js', known(1, 2, 3, 4)]]),
};
const file: PathFacts = { kind: 'file', tracked: true, lines };
const missing: PathFacts = { kind: 'missing', tracked: false, lines: [] };

interface Given {
  readonly call?: Partial<JudgedCall>;
  readonly evidence?: Partial<Evidence>;
  readonly facts?: Readonly<Record<string, PathFacts>>;
  readonly policy?: Constitution;
  readonly secret?: string;
}

function caseOf(claims: readonly Claim[], given: Given = {}): Case {
  return {
    call: {
      tool: 'read_code_block',
      exists: true,
      argumentProblems: [],
      nextPhase: 'READ',
      claims,
      ...given.call,
    },
    evidence: { ...ready, ...given.evidence },
    policy: given.policy ?? policy,
    facts: new Map(Object.entries({ 'a.js': file, ...given.facts })),
    holdsSecret: text => given.secret !== undefined && text.includes(given.secret),
  };
}

/** `pass`, or the class of the rule, its code, section and what it saw. */
function answer(claims: readonly Claim[], given: Given = {}): string {
  const decision = decide(caseOf(claims, given));
  if (decision.state === 'pass') return 'pass';
  const ruleClass = decision.severity === 'abort' ? 'violation' : decision.state;
  return `${ruleClass} ${decision.code} ${decision.section} ${decision.evidence}`;
}

const read = (path: string, startLine?: number, endLine = startLine ?? 0): Claim =>
  startLine === undefined
    ? { kind: 'read', path }
    : { kind: 'read', path, range: { startLine, endLine } };
const write = (path: string, more: Partial<Extract<Claim, { kind: 'write' }>> = {}): Claim => ({
  kind: 'write',
  path,
  change: 'edit',
  ranges: [{ startLine: 2, endLine: 2 }],
  added: 'x',
  ...more,
});
const at = (startLine: number, endLine: number) => ({ ranges: [{ startLine, endLine }] });
const more = (text: string): Given['facts'] => ({ [text]: missing });

const skillFile = (skill: string, name: string, endLine = 5): Claim => ({
  kind: 'skill-file',
  skill,
  file: name,
  range: { startLine: 1, endLine },
});
type Question = Extract<Claim, { kind: 'clarify' }>;
const asks = (reason: Question['reason'], more: Partial<Question> = {}): Claim => ({
  kind: 'clarify',
  reason,
  destroys: [],
  constraints: [],
  ...more,
});
const names = (...all: string[]) => all.map(name => ({ name }));
const grant = (more: Partial<SkillGrant>): SkillGrant => ({
  name: 'code-modify',
  tools: ['run_command', 'apply_patch'],
  guards: {},
  budgets: {},
  ...more,
});
/** code-modify is active under some budgets and was used so much. */
const used = (
  budgets: SkillGrant['budgets'],
  use: Partial<SkillUse>,
  ...others: SkillGrant[]
): Given => ({
  call: { tool: 'run_command' },
  evidence: {
    activeSkills: [grant({ budgets }), ...others],
    skillUse: new Map([['code-modify', { activations: 1, rounds: 0, calls: 0, ...use }]]),
  },
});
const run = (...words: string[]): Claim => ({ kind: 'run', commands: [words] });
/** code-modify is active, and grants `Bash(git:*)` and `Bash(npm test)`. */
const onlyCommands = (...others: SkillGrant[]): Given => ({
  call: { tool: 'run_command' },
  evidence: {
    activeSkills: [
      grant({
        commands: [
          { words: ['git'], exact: false },
          { words: ['npm', 'test'], exact: true },
        ],
      }),
      ...others,
    ],
  },
});
/** code-modify is active under some guards. */
const guarded = (
  guards: SkillGrant['guards'],
  evidence: Partial<Evidence> = {},
  ...others: SkillGrant[]
): Given => ({
  call: { tool: 'apply_patch', nextPhase: 'PATCH' },
  evidence: { ...evidence, activeSkills: [grant({ guards }), ...others] },
});
/** The second line of the file skips a test already. */
const skipped: Given = {
  ...guarded({ suppress: false }, { known: new Map([['a.js', new Map([[2, 'test.skip(0)']])]]) }),
  facts: { 'a.js': { kind: 'file', tracked: true, lines: ['one', 'test.skip(0)'] } },
};

type Row = readonly [string, readonly Claim[], string, Given?];

const table: Readonly<Record<string, readonly Row[]>> = {
  PATH_ESCAPE: [
    [
      'a way out',
      [read('../x', 1)],
      'violation PATH_ESCAPE §3.1 "../x" is not a path inside the workspace',
    ],
    [
      'a long way out is cut',
      [read(`/${'y'.repeat(200)}`)],
      `violation PATH_ESCAPE §3.1 "/${'y'.repeat(119)}" is not a path inside the workspace`,
    ],
    [
      'the root cannot be written',
      [write('.')],
      'violation PATH_ESCAPE §3.1 the root folder is not a file',
    ],
    ['the root may be listed', [{ kind: 'navigate', path: '' }], 'pass'],
    [
      'nothing known',
      [read('b.js', 1)],
      'violation PATH_ESCAPE §3.1 b.js: nothing is known about this path',
    ],
    [
      'a link on the way',
      [read('l/x', 1)],
      'violation PATH_ESCAPE §3.1 l/x: l in this path is a link or submodule',
      { facts: { 'l/x': { ...missing, through: 'l' } } },
    ],
    [
      'a link',
      [read('l', 1)],
      'violation PATH_ESCAPE §3.1 l is a symbolic link',
      { facts: { l: { ...file, kind: 'link' } } },
    ],
    [
      'a submodule',
      [{ kind: 'navigate', path: 'm' }],
      'violation PATH_ESCAPE §3.1 m is a submodule',
      { facts: { m: { ...file, kind: 'submodule' } } },
    ],
    [
      'a new file with the name of a device on Windows',
      [write('src/aux.js')],
      'violation PATH_ESCAPE §3.1 src/aux.js: no file can be named "aux.js" on Windows, so the branch could not be checked out there',
      { facts: { 'src/aux.js': missing } },
    ],
    [
      'a file with such a name that is there already',
      [write('src/aux.js')],
      'abstain NAVIGATION_MISSING §3.2 no listing, search or lookup in this run returned src/aux.js',
      { facts: { 'src/aux.js': file } },
    ],
    [
      'the second claim',
      [read('a.js', 1), read('~/x')],
      'violation PATH_ESCAPE §3.1 "~/x" is not a path inside the workspace',
    ],
    [
      "what a command redirects to is the sandbox's",
      [{ kind: 'redirect', path: '/dev/null' }],
      'pass',
    ],
    ['a claim without a path', [{ kind: 'run', commands: [['ls', '/']] }], 'pass'],
  ],
  READ_UNBOUNDED: [
    [
      'a folder',
      [read('src', 1)],
      'violation READ_UNBOUNDED §3.1 src is a folder',
      { facts: { src: { ...missing, kind: 'folder' } } },
    ],
    ['the root', [read('.', 1)], 'violation READ_UNBOUNDED §3.1 . is a folder'],
    ['nothing at all', [read('', 1)], 'violation READ_UNBOUNDED §3.1 . is a folder'],
    [
      'a star',
      [read('*.js', 1)],
      'violation READ_UNBOUNDED §3.1 *.js is a pattern, not a file',
      { facts: more('*.js') ?? {} },
    ],
    [
      'a question mark',
      [read('a.j?', 1)],
      'violation READ_UNBOUNDED §3.1 a.j? is a pattern, not a file',
      { facts: more('a.j?') ?? {} },
    ],
    [
      'a file with such a name',
      [read('*.js', 1)],
      'pass',
      { facts: { '*.js': file }, evidence: { navigatedFiles: new Set(['*.js']) } },
    ],
    [
      'listing a folder is no read',
      [{ kind: 'navigate', path: 'src' }],
      'pass',
      { facts: { src: { ...missing, kind: 'folder' } } },
    ],
  ],
  READ_LIMIT: [
    [
      'one too many',
      [read('a.js', 1, 501)],
      'violation READ_LIMIT §3.1 a.js: 501 lines requested in one round; at most 500 are allowed',
    ],
    ['just enough', [read('a.js', 101, 600)], 'pass'],
    [
      'ranges of one file together, in another spelling too',
      [read('a.js', 600, 849), read('./a.js', 1, 251)],
      'violation READ_LIMIT §3.1 a.js: 501 lines requested in one round; at most 500 are allowed',
    ],
    ['lines in two ranges count once', [read('a.js', 1, 300), read('a.js', 201, 500)], 'pass'],
    ['one range inside another', [read('a.js', 1, 500), read('a.js', 20, 30)], 'pass'],
    [
      'another file has its own lines',
      [read('a.js', 1, 500), read('c.js', 1, 500)],
      'pass',
      { facts: { 'c.js': file }, evidence: { navigatedFiles: new Set(['a.js', 'c.js']) } },
    ],
    [
      'with the lines that the round has read',
      [read('a.js', 10, 507)],
      'violation READ_LIMIT §3.1 a.js: 501 lines requested in one round; at most 500 are allowed',
      { evidence: { readThisRound: new Map([['a.js', new Set([1, 2, 3, 10])]]) } },
    ],
    [
      'without the lines that it asks for again',
      [read('a.js', 3, 502)],
      'pass',
      { evidence: { readThisRound: new Map([['a.js', new Set([3, 4])]]) } },
    ],
    ['no range', [read('a.js')], 'pass'],
    [
      'a tighter law',
      [read('a.js', 1, 3)],
      'violation READ_LIMIT §3.1 a.js: 3 lines requested in one round; at most 2 are allowed',
      { policy: { ...policy, limits: { ...policy.limits, read_lines: 2 } } },
    ],
    ['a write is no read', [write('a.js', at(1, 4))], 'pass', { call: { nextPhase: 'PATCH' } }],
  ],
  PATH_PROTECTED: [
    [
      'a workflow',
      [write('.github/x.yml')],
      'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**',
      { facts: { '.github/x.yml': file } },
    ],
    [
      'in other letters',
      [write('.GitHub/x.yml')],
      'violation PATH_PROTECTED §3.3 .GitHub/x.yml is protected by .github/**',
      { facts: { '.GitHub/x.yml': file } },
    ],
    [
      'each file',
      [write('.github/x.yml'), write('k/id_rsa')],
      'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**, k/id_rsa is protected by **/id_{rsa,dsa,ecdsa,ed25519}{,_sk}{,.pub,.pem,.key,.ppk,.bak,.old}',
      { facts: { '.github/x.yml': file, 'k/id_rsa': missing } },
    ],
    [
      'one of several files: told, not the end',
      [write('a.js'), write('.github/x.yml')],
      'abstain PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**; nothing was done, so send the call again without this file',
      { facts: { '.github/x.yml': file } },
    ],
    [
      'one of several files, beside a breach that ends the run',
      [write('.github/x.yml'), write('a.js', { added: 'key = s3cret' })],
      'violation SECRET_IN_PATCH §3.3 the change contains the value of a secret of this run',
      { facts: { '.github/x.yml': file }, secret: 's3cret' },
    ],
    [
      'the same protected file twice is nothing but a protected file',
      [write('.github/x.yml'), write('./.github/x.yml')],
      'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**',
      { facts: { '.github/x.yml': file } },
    ],
    [
      'one of several files of a plan',
      [{ kind: 'plan', files: ['a.js', '.github/x.yml', 'constitution.md'], maxChangedLines: 9 }],
      'abstain PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**, constitution.md is protected by **/constitution.md; nothing was done, so send the call again without these files',
      { call: { tool: 'plan' } },
    ],
    [
      'a plan of a protected file alone is judged with its patch',
      [{ kind: 'plan', files: ['.github/x.yml'], maxChangedLines: 9 }],
      'pass',
      {
        call: { tool: 'plan', nextPhase: 'PLAN' },
        evidence: { permittedTools: new Set(['plan']) },
      },
    ],
    [
      'may be read',
      [read('.github/x.yml', 1)],
      'pass',
      {
        facts: { '.github/x.yml': file },
        evidence: { navigatedFiles: new Set(['.github/x.yml']) },
      },
    ],
  ],
  SECRET_IN_PATCH: [
    [
      'in the text',
      [write('a.js', { added: 'key = s3cret' })],
      'violation SECRET_IN_PATCH §3.3 the change contains the value of a secret of this run',
      { secret: 's3cret' },
    ],
    [
      'in the path',
      [write('s3cret')],
      'violation SECRET_IN_PATCH §3.3 the change contains the value of a secret of this run',
      { secret: 's3cret', facts: { s3cret: missing } },
    ],
    ['a read holds none', [read('a.js', 1)], 'pass', { secret: 'a' }],
  ],
  PATH_FILTERED: [
    [
      'a new file',
      [write('./a.csv', { change: 'replace', ranges: [] })],
      'abstain PATH_FILTERED §3.3 git stores a.csv (filter=lfs) in a form that Photon cannot make; nothing was done, so leave this file out and go on with the others',
      { facts: { 'a.csv': { ...missing, converted: 'filter=lfs' } } },
    ],
    [
      'files of a plan',
      [{ kind: 'plan', files: ['a.js', 'a.csv', 'b.rc'], maxChangedLines: 9 }],
      'abstain PATH_FILTERED §3.3 git stores a.csv (filter=lfs), b.rc (ident) in a form that Photon cannot make; nothing was done, so leave these files out and go on with the others',
      {
        call: { tool: 'plan' },
        facts: {
          'a.csv': { ...missing, converted: 'filter=lfs' },
          'b.rc': { ...file, converted: 'ident' },
        },
      },
    ],
    ['a read', [read('a.js', 1)], 'pass', { facts: { 'a.js': { ...file, converted: 'ident' } } }],
  ],
  WRITE_BYPASS: [
    [
      'a tracked file',
      [{ kind: 'redirect', path: './a.js' }],
      'violation WRITE_BYPASS §3.3 run_command would write a.js; only apply_patch may change project files',
      { call: { tool: 'run_command' } },
    ],
    ['a log', [{ kind: 'redirect', path: 'x.log' }], 'pass', { facts: { 'x.log': missing } }],
    ['outside', [{ kind: 'redirect', path: '/tmp/x' }], 'pass'],
  ],
  SKILL_NOT_ALLOWED: [
    [
      'another skill',
      [{ kind: 'skill', name: 'root' }],
      'abstain SKILL_NOT_ALLOWED §5.2 skill "root" is not on the allowlist',
    ],
    [
      'a long name is cut',
      [{ kind: 'skill', name: 'r'.repeat(90) }],
      `abstain SKILL_NOT_ALLOWED §5.2 skill "${'r'.repeat(80)}" is not on the allowlist`,
    ],
    ['one on the list', [{ kind: 'skill', name: 'code-modify' }], 'pass'],
    [
      'a misspelt name',
      [{ kind: 'skill', name: 'code_modify' }],
      'abstain SKILL_NOT_ALLOWED §5.2 skill "code_modify" is not on the allowlist; did you mean code-modify?',
    ],
  ],
  CALL_MISSING: [
    [
      'no call',
      [],
      'abstain CALL_MISSING §1 the reply contains no tool call',
      { call: { tool: '', exists: false } },
    ],
  ],
  TOOL_NOT_PERMITTED: [
    [
      'no such tool',
      [],
      'abstain TOOL_NOT_PERMITTED §5.3 there is no tool "bash"',
      { call: { tool: 'bash', exists: false } },
    ],
    [
      'a long name is cut',
      [],
      `abstain TOOL_NOT_PERMITTED §5.3 there is no tool "${'b'.repeat(80)}"`,
      { call: { tool: 'b'.repeat(99), exists: false } },
    ],
    [
      'no skill grants it',
      [],
      'abstain TOOL_NOT_PERMITTED §5.3 no active skill grants "undo"',
      { call: { tool: 'undo' } },
    ],
    [
      'a permitted name of no tool',
      [],
      'abstain TOOL_NOT_PERMITTED §5.3 there is no tool "finish"',
      { call: { tool: 'finish', exists: false } },
    ],
    ['a command that a skill names', [run('git', 'log')], 'pass', onlyCommands()],
    ['a command that it names to the last word', [run('npm', 'test')], 'pass', onlyCommands()],
    [
      'a command that it does not name',
      [run('rm', '-r', 'x')],
      'abstain TOOL_NOT_PERMITTED §5.3 the active skills permit only these commands: git …, npm test',
      onlyCommands(),
    ],
    [
      'more words than it names',
      [run('npm', 'test', '--', '-u')],
      'abstain TOOL_NOT_PERMITTED §5.3 the active skills permit only these commands: git …, npm test',
      onlyCommands(),
    ],
    [
      'a command that only a shell knows',
      [{ kind: 'run', commands: null }],
      'abstain TOOL_NOT_PERMITTED §5.3 the active skills permit only plain commands: git …, npm test',
      onlyCommands(),
    ],
    [
      'another skill permits every command',
      [run('rm', 'x')],
      'pass',
      onlyCommands(grant({ name: 'other' })),
    ],
  ],
  SKILL_REQUIREMENT: [
    [
      'a skill that lacks something',
      [{ kind: 'skill', name: 'code-modify' }],
      'abstain SKILL_REQUIREMENT §5.4 it requires a tool',
      { evidence: { unreadySkills: new Map([['code-modify', 'it requires a tool']]) } },
    ],
    [
      'a file of a skill that lacks something is not asked for here',
      [skillFile('other', 'references/a.md')],
      'abstain SKILL_INACTIVE §5.3 skill "other" is not active',
      { evidence: { unreadySkills: new Map([['other', 'it requires a tool']]) } },
    ],
    [
      'another one that lacks something',
      [{ kind: 'skill', name: 'code-modify' }],
      'pass',
      { evidence: { unreadySkills: new Map([['other', 'it requires a tool']]) } },
    ],
  ],
  SKILL_INACTIVE: [
    [
      'a file of a skill that is not active',
      [skillFile('code-modify', 'references/a.md')],
      'abstain SKILL_INACTIVE §5.3 skill "code-modify" is not active',
    ],
    [
      'a file of another skill than the active one',
      [skillFile('code-review', 'references/a.md')],
      'abstain SKILL_INACTIVE §5.3 skill "code-review" is not active',
      { evidence: { activeSkills: [grant({})] } },
    ],
    [
      'a long name is cut',
      [skillFile('y'.repeat(100), 'references/a.md')],
      `abstain SKILL_INACTIVE §5.3 skill "${'y'.repeat(80)}" is not active`,
    ],
    [
      'a file of one that is',
      [skillFile('code-modify', 'references/a.md')],
      'pass',
      { evidence: { activeSkills: [grant({})] } },
    ],
    [
      'a file outside of its folder',
      [skillFile('code-modify', '../x')],
      'violation PATH_ESCAPE §3.1 "../x" is not a path inside the skill folder',
      { evidence: { activeSkills: [grant({})] } },
    ],
    [
      'a way out with backslashes',
      [skillFile('code-modify', 'references\\..\\..\\x')],
      'violation PATH_ESCAPE §3.1 "references\\\\..\\\\..\\\\x" is not a path inside the skill folder',
      { evidence: { activeSkills: [grant({})] } },
    ],
    [
      'odd characters lead nowhere, and the tool says so',
      [skillFile('code-modify', 'references\\a\n\ud800.md')],
      'pass',
      { evidence: { activeSkills: [grant({})] } },
    ],
    [
      'too many lines of it',
      [skillFile('code-modify', 'a.md', 501)],
      'violation READ_LIMIT §3.1 photon:code-modify/a.md: 501 lines requested in one round; at most 500 are allowed',
      { evidence: { activeSkills: [grant({})] } },
    ],
  ],
  SKILL_BUDGET: [
    [
      'calls are used up',
      [{ kind: 'run', commands: [['ls']] }],
      'abstain SKILL_BUDGET §5.1 code-modify has used its budget of 2 calls',
      used({ calls: 2 }, { calls: 2 }),
    ],
    [
      'one call is left',
      [{ kind: 'run', commands: [['ls']] }],
      'pass',
      used({ calls: 2 }, { calls: 1 }),
    ],
    [
      'no calls at all',
      [{ kind: 'run', commands: [['ls']] }],
      'abstain SKILL_BUDGET §5.1 code-modify has used its budget of 0 calls',
      used({ calls: 0 }, {}),
    ],
    [
      'rounds are used up',
      [{ kind: 'run', commands: [['ls']] }],
      'abstain SKILL_BUDGET §5.1 code-modify has used its budget of 2 active rounds',
      used({ rounds: 2 }, { rounds: 3 }),
    ],
    [
      'the last round',
      [{ kind: 'run', commands: [['ls']] }],
      'pass',
      used({ rounds: 2 }, { rounds: 2 }),
    ],
    [
      'an undo',
      [{ kind: 'redirect', path: 'x' }, { kind: 'undo' }],
      'pass',
      used({ calls: 2 }, { calls: 2 }),
    ],
    [
      'another skill has budget left',
      [{ kind: 'run', commands: [['ls']] }],
      'pass',
      used({ calls: 0 }, {}, { ...grant({}), name: 'other' }),
    ],
    [
      'a tool that needs no skill',
      [],
      'pass',
      { ...used({ calls: 0 }, {}), call: { tool: 'finish' } },
    ],
  ],
  SKILL_GUARD: [
    [
      'a file outside of its paths',
      [write('a.js')],
      'abstain SKILL_GUARD §5.1 code-modify: a.js is outside lib/**, @docs',
      guarded({ paths: ['lib/**', '@docs'] }),
    ],
    ['a file inside of them', [write('a.js')], 'pass', guarded({ paths: ['*.js'] })],
    [
      'a file that is excepted',
      [write('a.js')],
      'abstain SKILL_GUARD §5.1 code-modify: a.js is in *.js, which the skill may not change',
      guarded({ except: ['@tests', '*.js'] }),
    ],
    ['a file that is not', [write('a.js')], 'pass', guarded({ except: ['@tests'] })],
    [
      'another spelling of a path',
      [write('./a.js')],
      'abstain SKILL_GUARD §5.1 code-modify: a.js is in a.js, which the skill may not change',
      guarded({ except: ['a.js'] }),
    ],
    [
      'a deletion',
      [{ kind: 'write', path: 'a.js', change: 'delete', ranges: [], added: '' }],
      'abstain SKILL_GUARD §5.1 code-modify: a.js would be deleted',
      guarded({ delete: false }),
    ],
    [
      'a deletion that it allows',
      [{ kind: 'write', path: 'a.js', change: 'delete', ranges: [], added: '' }],
      'pass',
      guarded({ delete: true }),
    ],
    [
      'a new file',
      [{ kind: 'write', path: 'n.js', change: 'replace', ranges: [], added: 'x' }],
      'abstain SKILL_GUARD §5.1 code-modify: n.js would be a new file',
      { ...guarded({ create: false }), facts: { 'n.js': missing } },
    ],
    ['no new file', [write('a.js')], 'pass', guarded({ create: false })],
    [
      'another spelling of a file that is there',
      [write('./a.js')],
      'pass',
      guarded({ create: false, paths: ['a.js'] }),
    ],
    ['an edit where nothing may be deleted', [write('a.js')], 'pass', guarded({ delete: false })],
    [
      'reads beside a write are no files of its patch',
      [read('b/c.js', 1), write('a.js')],
      'pass',
      {
        ...guarded({ maxFiles: 1 }, { navigatedFiles: new Set(['a.js', 'b/c.js']) }),
        facts: { 'b/c.js': file },
      },
    ],
    [
      'a marker in a new file',
      [{ kind: 'write', path: 'n.js', change: 'replace', ranges: [], added: 'test.skip(1)' }],
      'abstain SKILL_GUARD §5.1 code-modify: n.js would silence a check with test.skip(',
      { ...guarded({ suppress: false }), facts: { 'n.js': missing } },
    ],
    [
      'a marker that silences a check',
      [write('a.js', { added: '// eslint-disable-next-line\nx' })],
      'abstain SKILL_GUARD §5.1 code-modify: a.js would silence a check with eslint-disable',
      guarded({ suppress: false }),
    ],
    [
      'a marker that it allows',
      [write('a.js', { added: '// eslint-disable-next-line\nx' })],
      'pass',
      guarded({ suppress: true }),
    ],
    ['a marker that was there before', [write('a.js', { added: 'test.skip(1)' })], 'pass', skipped],
    [
      'a second one beside it',
      [write('a.js', { added: 'test.skip(1); test.skip(2)' })],
      'abstain SKILL_GUARD §5.1 code-modify: a.js would silence a check with test.skip(',
      skipped,
    ],
    [
      'too many files',
      [write('a.js')],
      'abstain SKILL_GUARD §5.1 code-modify: the patch would change 2 files; the skill allows at most 1',
      guarded({ maxFiles: 1 }, { patchedFiles: new Set(['b.js']) }),
    ],
    [
      'the same file again',
      [write('a.js')],
      'pass',
      guarded({ maxFiles: 1 }, { patchedFiles: new Set(['a.js']) }),
    ],
    [
      'too many lines',
      [write('a.js')],
      'abstain SKILL_GUARD §5.1 code-modify: the patch would change 3 lines; the skill allows at most 2',
      guarded({ maxLines: 2 }, { changedLines: 2 }),
    ],
    [
      'as many lines as it may',
      [write('a.js')],
      'pass',
      guarded({ maxLines: 3 }, { changedLines: 2 }),
    ],
    [
      'what another active skill lets be',
      [write('a.js')],
      'pass',
      guarded({ paths: ['x'] }, {}, { ...grant({}), name: 'other' }),
    ],
    [
      'what no active skill lets be: the first says why',
      [write('a.js')],
      'abstain SKILL_GUARD §5.1 code-modify: a.js is outside x',
      guarded({ paths: ['x'] }, {}, { ...grant({ guards: { paths: ['y'] } }), name: 'other' }),
    ],
    [
      'another active skill that does not grant the tool',
      [write('a.js')],
      'abstain SKILL_GUARD §5.1 code-modify: a.js is outside x',
      guarded({ paths: ['x'] }, {}, { ...grant({}), name: 'other', tools: ['undo'] }),
    ],
  ],
  ARGUMENTS_INVALID: [
    [
      'all of them',
      [],
      'abstain ARGUMENTS_INVALID §6 /a: wrong; /b: wrong',
      { call: { argumentProblems: ['/a: wrong', '/b: wrong'] } },
    ],
  ],
  THINK_MISSING: [
    [
      'nothing said',
      [],
      'abstain THINK_MISSING §4.1 the reply contains tool calls but no reasoning',
      { evidence: { thought: '' } },
    ],
    [
      'spaces said',
      [],
      'abstain THINK_MISSING §4.1 the reply contains tool calls but no reasoning',
      { evidence: { thought: ' \n ' } },
    ],
  ],
  PLAN_MISSING: [
    ...(
      [
        [{ kind: 'navigate', path: '' }],
        [read('a.js', 1)],
        [write('a.js')],
        [{ kind: 'undo' }],
        [{ kind: 'run', commands: [['x']] }],
        [{ kind: 'redirect', path: 'x' }],
        [{ kind: 'commit' }],
      ] as Claim[][]
    ).map(
      (claims): Row => [
        String(claims[0]?.kind),
        claims,
        'abstain PLAN_MISSING §4 read_code_block needs a plan first',
        { evidence: { plan: null } },
      ],
    ),
    [
      'a skill needs none',
      [{ kind: 'skill', name: 'code-modify' }],
      'pass',
      { evidence: { plan: null } },
    ],
    [
      'a question needs none',
      [asks('unresolved_symbol', { symbol: 'f' })],
      'pass',
      { evidence: { plan: null, unresolved: new Set(['f']) } },
    ],
    [
      'one of several claims is enough',
      [{ kind: 'skill', name: 'code-modify' }, { kind: 'undo' }],
      'abstain PLAN_MISSING §4 read_code_block needs a plan first',
      { evidence: { plan: null } },
    ],
  ],
  PHASE_ORDER: [
    [
      'no way',
      [],
      'abstain PHASE_ORDER §2 verify cannot run in phase READ',
      {
        call: { tool: 'verify', nextPhase: null },
        evidence: { permittedTools: new Set(['verify']) },
      },
    ],
    [
      'no way after navigation, without a write',
      [read('a.js', 1)],
      'abstain PHASE_ORDER §2 verify cannot run in phase NAVIGATE',
      {
        call: { tool: 'verify', nextPhase: null },
        evidence: { phase: 'NAVIGATE', permittedTools: new Set(['verify']) },
      },
    ],
    [
      'a write in a phase without patches',
      [write('a.js')],
      'abstain PHASE_ORDER §2 apply_patch cannot run in phase PLAN',
      { call: { tool: 'apply_patch', nextPhase: null }, evidence: { phase: 'PLAN' } },
    ],
    [
      'an unread file among other claims after navigation',
      [read('a.js', 1), write('a.js')],
      'abstain PHASE_ORDER §2 apply_patch cannot run in phase NAVIGATE on an existing file that this run has not read',
      { call: { tool: 'apply_patch', nextPhase: null }, evidence: { phase: 'NAVIGATE' } },
    ],
    [
      'an unread file after navigation',
      [write('a.js')],
      'abstain PHASE_ORDER §2 apply_patch cannot run in phase NAVIGATE on an existing file that this run has not read',
      { call: { tool: 'apply_patch', nextPhase: null }, evidence: { phase: 'NAVIGATE' } },
    ],
  ],
  NAVIGATION_MISSING: [
    [
      'a guess',
      [read('b.js', 1)],
      'abstain NAVIGATION_MISSING §3.2 no listing, search or lookup in this run returned b.js',
      { facts: { 'b.js': file } },
    ],
    ['a guess of another spelling of a known path', [read('./a.js', 1)], 'pass'],
    [
      'a write',
      [write('b.js')],
      'abstain NAVIGATION_MISSING §3.2 no listing, search or lookup in this run returned b.js',
      { facts: { 'b.js': file } },
    ],
    [
      'a new file below a folder that was listed',
      [write('b/c.js', { change: 'replace', ranges: [] })],
      'pass',
      { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['b']) } },
    ],
    [
      'a new file far below one',
      [write('b/c.js', { change: 'replace', ranges: [] })],
      'pass',
      { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['']) } },
    ],
    [
      'a new file elsewhere',
      [write('b/c.js', { change: 'replace', ranges: [] })],
      'abstain NAVIGATION_MISSING §3.2 no listing, search or lookup in this run returned b/c.js',
      { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['b/c.js', 'x']) } },
    ],
    [
      'an old file of a folder that was listed',
      [read('b/c.js', 1)],
      'abstain NAVIGATION_MISSING §3.2 no listing, search or lookup in this run returned b/c.js',
      { facts: { 'b/c.js': file }, evidence: { navigatedFolders: new Set(['b', '']) } },
    ],
    [
      'listing needs no listing',
      [{ kind: 'navigate', path: 'b' }],
      'pass',
      { facts: { b: { ...missing, kind: 'folder' } } },
    ],
    [
      'the second claim',
      [read('a.js', 1), read('b.js', 1)],
      'abstain NAVIGATION_MISSING §3.2 no listing, search or lookup in this run returned b.js',
      { facts: { 'b.js': file } },
    ],
  ],
  PLAN_SCOPE: [
    [
      'another file',
      [write('d.js', { change: 'replace', ranges: [] })],
      "abstain PLAN_SCOPE §4 d.js is not among the plan's affected files",
      { facts: { 'd.js': missing }, evidence: { navigatedFolders: new Set(['']) } },
    ],
    [
      'another spelling of a planned one',
      [write('b/./c.js', { change: 'replace', ranges: [] })],
      'pass',
      { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['']) } },
    ],
    [
      'a file outside of those that the task names',
      [write('a.js')],
      'abstain PLAN_SCOPE §4 a.js is outside lib/**, the only paths that this task may change',
      { evidence: { within: ['lib/**'] } },
    ],
    [
      'a plan outside of them',
      [{ kind: 'plan', files: ['a.js'], maxChangedLines: 1 }],
      'abstain PLAN_SCOPE §4 a.js is outside lib/**, the only paths that this task may change',
      { evidence: { within: ['lib/**'] } },
    ],
    ['a file inside of them', [write('a.js')], 'pass', { evidence: { within: ['*.js'] } }],
    [
      'another spelling of a file inside of them',
      [write('./a.js')],
      'pass',
      { evidence: { within: ['a.js'] } },
    ],
    [
      'a file outside of several',
      [write('a.js')],
      'abstain PLAN_SCOPE §4 a.js is outside lib/**, bin/**, the only paths that this task may change',
      { evidence: { within: ['lib/**', 'bin/**'] } },
    ],
    ['a read outside of them', [read('a.js', 1)], 'pass', { evidence: { within: ['lib/**'] } }],
    [
      'a patch beside an approved plan, which only a plan can go beyond',
      [write('a.js')],
      'pass',
      { evidence: { approved: { affectedFiles: ['a.js'], maxChangedLines: 5 } } },
    ],
    ['as many lines as planned', [write('a.js', { added: '1\n2\n3\n4\n5' })], 'pass'],
    [
      'one line more',
      [write('a.js', { added: '1\n2\n3\n4\n5\n6' })],
      'abstain PLAN_SCOPE §4 the patch would change 6 lines; the plan allows at most 5',
    ],
    [
      'together with what is changed',
      [write('a.js', { added: '1\n2' })],
      'abstain PLAN_SCOPE §4 the patch would change 6 lines; the plan allows at most 5',
      { evidence: { changedLines: 4 } },
    ],
    [
      'several ranges of one file',
      [
        write('a.js', {
          added: '',
          ranges: [
            { startLine: 1, endLine: 2 },
            { startLine: 3, endLine: 4 },
          ],
        }),
      ],
      'abstain PLAN_SCOPE §4 the patch would change 6 lines; the plan allows at most 5',
      { evidence: { changedLines: 2 } },
    ],
    [
      'an insert takes no line away',
      [write('a.js', { added: '1', ranges: [{ startLine: 2, endLine: 1 }] })],
      'pass',
      { evidence: { changedLines: 4 } },
    ],
    [
      'lines of two files',
      [
        write('a.js', { added: '1\n2\n3' }),
        write('b/c.js', { change: 'replace', ranges: [], added: '1\n2\n3' }),
      ],
      'abstain PLAN_SCOPE §4 the patch would change 6 lines; the plan allows at most 5',
      { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['']) } },
    ],
    [
      'too many files',
      [write('a.js')],
      'abstain PLAN_SCOPE §4 the patch would change 2 files; at most 1 are allowed',
      {
        policy: { ...policy, limits: { ...policy.limits, patch_files: 1 } },
        evidence: { patchedFiles: new Set(['z.js']) },
      },
    ],
    [
      'the same file again',
      [write('./a.js')],
      'pass',
      {
        policy: { ...policy, limits: { ...policy.limits, patch_files: 1 } },
        evidence: { patchedFiles: new Set(['a.js']) },
      },
    ],
    [
      'a renamed file is one',
      [
        write('a.js', { change: 'delete', ranges: [], added: '' }),
        write('n.js', { change: 'replace', ranges: [], from: 'a.js' }),
      ],
      'pass',
      {
        policy: { ...policy, limits: { ...policy.limits, patch_files: 1 } },
        facts: { 'n.js': missing },
        evidence: {
          plan: {
            entrySymbols: [],
            affectedFiles: ['a.js', 'n.js'],
            scope: '',
            maxChangedLines: 9,
          },
          navigatedFolders: new Set(['']),
        },
      },
    ],
    [
      'a file that was renamed before is one',
      [write('a.js')],
      'pass',
      {
        policy: { ...policy, limits: { ...policy.limits, patch_files: 2 } },
        evidence: {
          patchedFiles: new Set(['y.js', 'z.js']),
          renames: [{ from: 'y.js', to: 'z.js' }],
        },
      },
    ],
    [
      'a renamed file whose text is replaced is no rename any more',
      [write('a.js', { ...at(1, 4), added: 'x' })],
      'abstain PLAN_SCOPE §4 the patch would change 2 files; at most 1 are allowed',
      {
        policy: { ...policy, limits: { ...policy.limits, patch_files: 1 } },
        evidence: {
          patchedFiles: new Set(['y.js', 'a.js']),
          renames: [{ from: 'y.js', to: 'a.js' }],
        },
      },
    ],
    [
      'as many files as allowed',
      [write('a.js')],
      'pass',
      {
        policy: { ...policy, limits: { ...policy.limits, patch_files: 2 } },
        evidence: { patchedFiles: new Set(['z.js']) },
      },
    ],
    [
      'a read is in no scope',
      [read('b.js', 1)],
      'pass',
      { facts: { 'b.js': file }, evidence: { navigatedFiles: new Set(['b.js']) } },
    ],
  ],
  STALE_READ: [
    [
      'a line that was not read',
      [write('a.js', at(3, 3))],
      'abstain STALE_READ §3.3 not read in their current state: a.js:3-3',
      { evidence: { known: new Map([['a.js', known(1, 2, 4)]]) } },
    ],
    [
      'the span of what was not read',
      [write('a.js', { ...at(1, 4), added: '' })],
      'abstain STALE_READ §3.3 not read in their current state: a.js:2-4',
      { evidence: { known: new Map([['a.js', known(1, 3)]]) } },
    ],
    [
      'a line that reads otherwise now',
      [write('a.js')],
      'abstain STALE_READ §3.3 not read in their current state: a.js:2-2',
      { evidence: { known: new Map([['a.js', new Map([[2, 'old']])]]) } },
    ],
    [
      'a file that was not read',
      [write('a.js')],
      'abstain STALE_READ §3.3 not read in their current state: a.js:2-2',
      { evidence: { known: new Map() } },
    ],
    [
      'all at once',
      [
        write('a.js', {
          ranges: [
            { startLine: 1, endLine: 1 },
            { startLine: 3, endLine: 3 },
          ],
        }),
      ],
      'abstain STALE_READ §3.3 not read in their current state: a.js:1-1, a.js:3-3',
      { evidence: { known: new Map() } },
    ],
    [
      'lines past the end are not its matter',
      [write('a.js', at(4, 9))],
      'pass',
      {
        evidence: {
          plan: { entrySymbols: [], affectedFiles: ['a.js'], scope: '', maxChangedLines: 50 },
        },
      },
    ],
    [
      'an insert by a line that was read',
      [write('a.js', at(3, 2))],
      'pass',
      { evidence: { known: new Map([['a.js', known(3)]]) } },
    ],
    [
      'an insert behind a line that was read',
      [write('a.js', at(3, 2))],
      'pass',
      { evidence: { known: new Map([['a.js', known(2)]]) } },
    ],
    [
      'an insert at the end',
      [write('a.js', at(5, 4))],
      'pass',
      { evidence: { known: new Map([['a.js', known(4)]]) } },
    ],
    [
      'an insert between lines that were not',
      [write('a.js', at(3, 2))],
      'abstain STALE_READ §3.3 not read in their current state: a.js:2-3',
      { evidence: { known: new Map([['a.js', known(1, 4)]]) } },
    ],
    [
      'an insert behind a last line that was not read',
      [write('a.js', at(5, 4))],
      'abstain STALE_READ §3.3 not read in their current state: a.js:4-5',
      { evidence: { known: new Map([['a.js', known(1, 2)]]) } },
    ],
    [
      'an insert before a first line that was not read',
      [write('a.js', at(1, 0))],
      'abstain STALE_READ §3.3 not read in their current state: a.js:0-1',
      { evidence: { known: new Map([['a.js', known(3)]]) } },
    ],
    [
      'an insert into an empty file',
      [write('a.js', at(1, 0))],
      'pass',
      { facts: { 'a.js': { ...file, lines: [] } }, evidence: { known: new Map() } },
    ],
    [
      'a whole file',
      [write('a.js', { change: 'replace', ranges: [] })],
      'abstain STALE_READ §3.3 not read in their current state: a.js:4-4',
      { evidence: { known: new Map([['a.js', known(1, 2, 3)]]) } },
    ],
    ['a whole file that was read', [write('a.js', { change: 'replace', ranges: [] })], 'pass'],
    [
      'a deletion',
      [write('a.js', { change: 'delete', ranges: [], added: '' })],
      'abstain STALE_READ §3.3 not read in their current state: a.js:1-4',
      { evidence: { known: new Map() } },
    ],
    [
      'a new file',
      [write('b/c.js', { change: 'replace', ranges: [] })],
      'pass',
      { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['b']) } },
    ],
    [
      'an empty line that was not read',
      [write('a.js', at(1, 1))],
      'abstain STALE_READ §3.3 not read in their current state: a.js:1-1',
      { facts: { 'a.js': { ...file, lines: [''] } }, evidence: { known: new Map() } },
    ],
  ],
  VERIFY_MISSING: [
    [
      'a patch that was not verified',
      [{ kind: 'commit' }],
      'abstain VERIFY_MISSING §2 the current patch has not been verified',
      { evidence: { patchDigest: 'p' } },
    ],
    [
      'another patch was',
      [{ kind: 'commit' }],
      'abstain VERIFY_MISSING §2 the current patch has not been verified',
      { evidence: { patchDigest: 'p', verified: { patchDigest: 'q', passed: true } } },
    ],
    [
      'this one was',
      [{ kind: 'commit' }],
      'pass',
      { evidence: { patchDigest: 'p', verified: { patchDigest: 'p', passed: true } } },
    ],
    [
      'waived in writing',
      [{ kind: 'commit' }],
      'pass',
      { evidence: { patchDigest: 'p', verificationWaived: true } },
    ],
    ['nothing to verify', [{ kind: 'commit' }], 'pass', { evidence: { patchDigest: '' } }],
    ['no commit', [{ kind: 'undo' }], 'pass', { evidence: { patchDigest: 'p' } }],
  ],
  CLARIFY_UNFOUNDED: [
    [
      'one way',
      [asks('destructive_paths', { destroys: [['a.js']] })],
      'abstain CLARIFY_UNFOUNDED §9 the question offers fewer than two choices',
    ],
    [
      'a way that destroys nothing',
      [asks('destructive_paths', { destroys: [['a.js'], []] })],
      'abstain CLARIFY_UNFOUNDED §9 choice 2 names no file that it destroys; if it destroys none, take it and do not ask',
      { evidence: { navigatedFiles: new Set(['a.js']) } },
    ],
    [
      'a file that is not there',
      [asks('destructive_paths', { destroys: [['a.js'], ['gone.js']] })],
      'abstain CLARIFY_UNFOUNDED §9 choice 2: gone.js is not a tracked file',
      {
        evidence: { navigatedFiles: new Set(['a.js', 'gone.js']) },
        facts: { 'gone.js': { kind: 'missing', tracked: false, lines: [] } },
      },
    ],
    [
      'a file that is not tracked',
      [asks('destructive_paths', { destroys: [['a.js'], ['new.js']] })],
      'abstain CLARIFY_UNFOUNDED §9 choice 2: new.js is not a tracked file',
      {
        evidence: { navigatedFiles: new Set(['a.js', 'new.js']) },
        facts: { 'new.js': { kind: 'file', tracked: false, lines: [] } },
      },
    ],
    [
      'a folder',
      [asks('destructive_paths', { destroys: [['a.js'], ['src']] })],
      'abstain CLARIFY_UNFOUNDED §9 choice 2: src is not a tracked file',
      {
        evidence: { navigatedFiles: new Set(['a.js', 'src']) },
        facts: { src: { kind: 'folder', tracked: true, lines: [] } },
      },
    ],
    [
      'a path that leads out',
      [asks('destructive_paths', { destroys: [['a.js'], ['../b.js']] })],
      'abstain CLARIFY_UNFOUNDED §9 choice 2: ../b.js is not a tracked file',
      { evidence: { navigatedFiles: new Set(['a.js']) } },
    ],
    [
      'two ways, one of which destroys an image',
      [asks('destructive_paths', { destroys: [['a.js'], ['b.png']] })],
      'pass',
      {
        evidence: { navigatedFiles: new Set(['a.js', 'b.png']) },
        facts: { 'b.png': { kind: 'binary', tracked: true, lines: [] } },
      },
    ],
    [
      'a file that this run did not find',
      [asks('destructive_paths', { destroys: [['a.js'], ['b.js']] })],
      'abstain CLARIFY_UNFOUNDED §9 choice 2: nothing in this run led to b.js',
      { evidence: { navigatedFiles: new Set(['a.js']) }, facts: { 'b.js': file } },
    ],
    [
      'the same files twice',
      [
        asks('destructive_paths', {
          destroys: [
            ['a.js', './b.js'],
            ['b.js', 'a.js'],
          ],
        }),
      ],
      'abstain CLARIFY_UNFOUNDED §9 two choices destroy the same files',
      { evidence: { navigatedFiles: new Set(['a.js', 'b.js']) }, facts: { 'b.js': file } },
    ],
    [
      'two ways that destroy different files',
      [asks('destructive_paths', { destroys: [['a.js'], ['b.js']] })],
      'pass',
      { evidence: { navigatedFiles: new Set(['a.js', 'b.js']) }, facts: { 'b.js': file } },
    ],
    [
      'no constraint',
      [asks('conflicting_constraints')],
      'abstain CLARIFY_UNFOUNDED §9 the question names fewer than two different constraints',
    ],
    [
      'one constraint under two names',
      [asks('conflicting_constraints', { constraints: names('READ_LIMIT', 'read_lines') })],
      'abstain CLARIFY_UNFOUNDED §9 the question names fewer than two different constraints',
    ],
    [
      'a constraint that is not there',
      [asks('conflicting_constraints', { constraints: names('READ_LIMIT', 'good taste') })],
      'abstain CLARIFY_UNFOUNDED §9 "good taste" is not a constraint in force',
    ],
    [
      'a rule that only asks for a step',
      [asks('conflicting_constraints', { constraints: names('READ_LIMIT', 'STALE_READ') })],
      'abstain CLARIFY_UNFOUNDED §9 "STALE_READ" is not a constraint in force',
      { evidence: { refused: new Set(['STALE_READ']) } },
    ],
    [
      'a quote that the skill does not state',
      [
        asks('conflicting_constraints', {
          constraints: [...names('READ_LIMIT'), { skill: 'code-modify', quote: 'other' }],
        }),
      ],
      'abstain CLARIFY_UNFOUNDED §9 "code-modify: …" is not a constraint in force',
      { evidence: { activeSkills: [{ ...grant({}), constraints: ['stated'] }] } },
    ],
    [
      'constraints that refused nothing',
      [asks('conflicting_constraints', { constraints: names('within', 'approved_plan') })],
      'abstain CLARIFY_UNFOUNDED §9 none of these constraints refused a call of this run',
      {
        evidence: {
          within: ['src/**'],
          approved: { affectedFiles: ['a.js'], maxChangedLines: 1 },
          refused: new Set(['SKILL_GUARD', 'SKILL_GUARD code-modify']),
        },
      },
    ],
    [
      'a refusal of another skill',
      [asks('conflicting_constraints', { constraints: names('code-modify', 'patch_files') })],
      'abstain CLARIFY_UNFOUNDED §9 none of these constraints refused a call of this run',
      {
        evidence: {
          activeSkills: [grant({ guards: { create: false } })],
          refused: new Set(['SKILL_GUARD', 'SKILL_GUARD other']),
        },
      },
    ],
    [
      'the limits of a skill and what it states',
      [
        asks('conflicting_constraints', {
          constraints: [...names('code-modify'), { skill: 'code-modify', quote: 'stated' }],
        }),
      ],
      'pass',
      {
        evidence: {
          activeSkills: [{ ...grant({ guards: { create: false } }), constraints: ['stated'] }],
          refused: new Set(['SKILL_GUARD', 'SKILL_GUARD code-modify']),
        },
      },
    ],
    [
      'the approved plan and the files of the task',
      [asks('conflicting_constraints', { constraints: names('within', 'approved_plan') })],
      'pass',
      {
        evidence: {
          within: ['src/**'],
          approved: { affectedFiles: ['a.js'], maxChangedLines: 1 },
          refused: new Set(['PLAN_SCOPE']),
        },
      },
    ],
    [
      'no symbol',
      [asks('unresolved_symbol')],
      'abstain CLARIFY_UNFOUNDED §9 the question names no symbol',
    ],
    [
      'a symbol that was not looked for under this name',
      [asks('unresolved_symbol', { symbol: 'f' })],
      'abstain CLARIFY_UNFOUNDED §9 no lookup of exactly "f" in this run found nothing',
      { evidence: { unresolved: new Set(['g', 'function f(']) } },
    ],
    [
      'a symbol that was missed',
      [asks('unresolved_symbol', { symbol: 'f' })],
      'pass',
      { evidence: { unresolved: new Set(['g', 'f']) } },
    ],
  ],
};

describe.each(Object.entries(table))('%s', (_code, rows) => {
  it.each(rows.map(row => [row[0], row] as const))('%s', (_name, [, claims, expected, given]) => {
    expect(answer(claims, given)).toBe(expected);
  });
});

describe('the guard', () => {
  it('has rows for every rule of its table', () => {
    expect(Object.keys(table)).toEqual(rules.map(r => r.code));
  });

  it('passes a call with all its evidence', () => {
    expect(answer([read('a.js', 1, 4)])).toBe('pass');
    expect(answer([])).toBe('pass');
  });

  it('looks for violations first, whatever the evidence, and then in the order of the table', () => {
    const bare = { thought: '', plan: null, permittedTools: new Set<string>() };
    const given = { evidence: bare, call: { nextPhase: null, argumentProblems: ['x'] } };
    expect(answer([read('../x', 1, 900)], given)).toMatch(/^violation PATH_ESCAPE/);
    expect(answer([read('a.js', 1, 900)], given)).toMatch(/^violation READ_LIMIT/);
    expect(answer([read('a.js', 1)], given)).toMatch(/^abstain TOOL_NOT_PERMITTED/);
    const order = rules.map(r => r.code);
    expect(order.indexOf('TOOL_NOT_PERMITTED')).toBeLessThan(order.indexOf('ARGUMENTS_INVALID'));
  });

  it('takes the class of a rule from the law', () => {
    const strict = { ...policy, rules: { ...policy.rules, THINK_MISSING: 'violation' as const } };
    expect(answer([], { evidence: { thought: '' }, policy: strict })).toMatch(
      /^violation THINK_MISSING/,
    );
  });

  it('refuses with abstain alone; the class of the rule is its severity', () => {
    expect(decide(caseOf([read('../x', 1)]))).toMatchObject({
      state: 'abstain',
      severity: 'abort',
    });
    const noPlan = caseOf([read('a.js', 1)], { evidence: { plan: null } });
    expect(decide(noPlan)).toMatchObject({ state: 'abstain', severity: 'correct' });
  });

  it('makes a failure after a pass a degrade, and leaves a pass a pass', () => {
    expect(decideAfter(null)).toEqual({ state: 'pass' });
    expect(decideAfter('boom')).toEqual({
      state: 'degrade',
      code: 'TOOL_FAILED',
      section: 'none',
      evidence: 'boom',
    });
  });
});

describe('evidence', () => {
  const start = initialEvidence({
    taskPaths: ['t.js'],
    coreTools: ['plan'],
    allowedSkills: ['s'],
    unreadySkills: {},
    verificationWaived: true,
  });

  it('begins with what the start gives and nothing else', () => {
    expect(start).toEqual({
      phase: 'INPUT',
      thought: '',
      plan: null,
      patchDigest: '',
      changedLines: 0,
      verified: null,
      verificationWaived: true,
      approved: null,
      within: null,
      navigatedFiles: new Set(['t.js']),
      navigatedFolders: new Set(),
      unresolved: new Set(),
      refused: new Set(),
      known: new Map(),
      forgotten: new Set(),
      readThisRound: new Map(),
      patchedFiles: new Set(),
      renames: [],
      permittedTools: new Set(['plan']),
      allowedSkills: new Set(['s']),
      unreadySkills: new Map(),
      activeSkills: [],
      skillUse: new Map(),
    });
  });

  it('adds up, and never changes what it was', () => {
    const before = structuredClone(start);
    const plan = { entrySymbols: ['x'], affectedFiles: ['a'], scope: 's', maxChangedLines: 1 };
    let now = addEvidence(start, { kind: 'planned', plan });
    now = addEvidence(now, { kind: 'navigated', files: ['a'], folders: ['f'] });
    now = addEvidence(now, { kind: 'navigated', files: ['b'], folders: ['g'] });
    now = addEvidence(now, { kind: 'unresolved', name: 'u' });
    now = addEvidence(now, { kind: 'unresolved', name: 'v' });
    now = addEvidence(now, { kind: 'resolved', name: 'u' });
    now = addEvidence(now, { kind: 'read', path: 'a', lines: new Map([[1, 'x']]) });
    now = addEvidence(now, {
      kind: 'read',
      path: 'a',
      lines: new Map([
        [2, 'y'],
        [1, 'z'],
      ]),
    });
    now = addEvidence(now, { kind: 'read', path: 'b', lines: new Map([[1, 'b']]) });
    now = addEvidence(now, { kind: 'verified', verified: { patchDigest: 'p', passed: true } });
    now = addEvidence(now, { kind: 'permitted', tools: ['grep'], skills: [] });
    expect(now).toMatchObject({ plan, verified: { patchDigest: 'p', passed: true } });
    expect([...now.navigatedFiles, ...now.navigatedFolders]).toEqual(['t.js', 'a', 'b', 'f', 'g']);
    expect([...now.unresolved]).toEqual(['v']);
    expect(now.known).toEqual(
      new Map([
        [
          'a',
          new Map([
            [1, 'z'],
            [2, 'y'],
          ]),
        ],
        ['b', new Map([[1, 'b']])],
      ]),
    );
    expect(now.readThisRound).toEqual(
      new Map([
        ['a', new Set([1, 2])],
        ['b', new Set([1])],
      ]),
    );
    expect(beginRound(now, 'next').readThisRound).toEqual(new Map());
    expect([...now.permittedTools]).toEqual(['grep']);
    expect(now.activeSkills).toEqual([]);
    const patched = addEvidence(now, {
      kind: 'patched',
      known: new Map([
        ['a', null],
        ['c', new Map([[1, 'c']])],
      ]),
      patchDigest: 'q',
      patchedFiles: ['a', 'c'],
      changedLines: 7,
    });
    expect(patched.known).toEqual(
      new Map([
        ['b', new Map([[1, 'b']])],
        ['c', new Map([[1, 'c']])],
      ]),
    );
    expect([...patched.navigatedFiles]).toEqual(['t.js', 'a', 'b', 'c']);
    expect(patched).toMatchObject({ patchDigest: 'q', changedLines: 7 });
    expect([...patched.patchedFiles]).toEqual(['a', 'c']);
    expect(start).toEqual(before);
    expect(now.known.has('a')).toBe(true);
  });
});

describe('a rule by itself answers against a call of which nothing is known', () => {
  const judge = (code: string, claims: readonly Claim[], given: Given = {}) => {
    const rule = rules.find(r => r.code === code) ?? expect.fail(code);
    return rule.judge(caseOf(claims, given));
  };

  it('STALE_READ', () => {
    expect(judge('STALE_READ', [write('../x')])).toBe('not read in their current state: ../x');
    expect(judge('STALE_READ', [write('unknown.js')])).toBe(
      'not read in their current state: unknown.js',
    );
    // an edit of a file that is not there holds no line that was read
    const gone = { facts: { 'gone.js': { ...missing, lines: ['x'] } } };
    expect(judge('STALE_READ', [write('gone.js', at(1, 1))], gone)).toMatch(/gone\.js:1-1/);
    expect(judge('STALE_READ', [write('gone.js', { change: 'delete' })], gone)).toMatch(/gone\.js/);
    expect(
      judge('STALE_READ', [write('a.js', { change: 'replace', ranges: [] })], {
        evidence: { known: new Map() },
      }),
    ).toMatch(/a\.js:1-4/);
    expect(judge('STALE_READ', [write('gone.js', { change: 'replace' })], gone)).toBeNull();
  });

  it('NAVIGATION_MISSING', () => {
    expect(judge('NAVIGATION_MISSING', [read('../x')])).toBe(
      'no listing, search or lookup in this run returned ../x',
    );
    expect(
      judge('NAVIGATION_MISSING', [read('unknown.js')], {
        evidence: { navigatedFolders: new Set(['']) },
      }),
    ).toMatch(/unknown\.js/);
  });

  it('PLAN_SCOPE: an approved plan is amended to less, never to more', () => {
    const approved = { affectedFiles: ['a.js', './b//c.js'], maxChangedLines: 5 };
    const amend = (files: readonly string[], maxChangedLines: number, given: Given = {}) =>
      judge('PLAN_SCOPE', [{ kind: 'plan', files, maxChangedLines }], given);
    const bound = { evidence: { approved } };
    expect(amend(['x.js'], 5000)).toBeNull();
    expect(amend(['b/c.js', './a.js'], 5, bound)).toBeNull();
    expect(amend(['a.js'], 1, bound)).toBeNull();
    expect(amend(['a.js', 'x.js'], 1, bound)).toBe(
      'x.js is not in the approved plan; abstain if the approved plan is not enough',
    );
    expect(amend(['../a.js'], 1, bound)).toContain('../a.js is not in the approved plan');
    expect(amend(['a.js'], 6, bound)).toContain('at most 5 changed lines');
  });

  it('PLAN_SCOPE', () => {
    expect(judge('PLAN_SCOPE', [write('a.js')], { evidence: { plan: null } })).toBe(
      'there is no plan yet',
    );
    const five = {
      plan: { entrySymbols: [], affectedFiles: ['a.js'], scope: '', maxChangedLines: 1 },
    };
    expect(
      judge('PLAN_SCOPE', [write('a.js', { added: '', ranges: [] })], {
        evidence: { ...five, changedLines: 1 },
      }),
    ).toBeNull();
  });

  it('READ_UNBOUNDED and READ_LIMIT leave the rest to others', () => {
    expect(judge('READ_UNBOUNDED', [read('../*', 1)])).toBeNull();
    expect(judge('READ_UNBOUNDED', [read('plain.js', 1)])).toBeNull();
    expect(judge('READ_UNBOUNDED', [read('*', 1)])).toBe('* is a pattern, not a file');
    expect(judge('READ_LIMIT', [{ kind: 'navigate', path: 'a.js' }])).toBeNull();
  });

  it('PATH_PROTECTED and WRITE_BYPASS have no pattern for what is no path', () => {
    expect(judge('PATH_PROTECTED', [write('/etc/x')])).toBeNull();
    expect(judge('WRITE_BYPASS', [{ kind: 'redirect', path: '../a.js' }])).toBeNull();
    expect(
      judge('CLARIFY_UNFOUNDED', [{ kind: 'undo' }, asks('destructive_paths')]),
    ).not.toBeNull();
  });
});
