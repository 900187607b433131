import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../../src/audit/audit.ts';
import { ruleCodes } from '../../src/guard/policy/constitution.ts';
import { tools } from '../../src/tools/index.ts';
import { type EngineDouble, openEngine } from '../doubles/engine.ts';
import type { ScriptedCall, ScriptedTurn } from '../doubles/model.ts';
import { canary, fingerprint } from '../harness.ts';
import { isAll } from '../seed.ts';
import { judgePlayed, type ProjectFacts } from './oracle.ts';

const lines = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => `export const ${name}${i + 1} = ${i + 1};\n`).join('');

/** A skill for one file and one call, and one that can never be activated. */
const tiny =
  'name: tiny\ndescription: d\nallowed-tools: apply_patch\nphoton: { guards: { paths: [README.md] }, budgets: { calls: 1 }, interface: { role: r, input: i, steps: [s], output: o, success: s, abstain: a } }';
const needy = 'name: needy\ndescription: d\nphoton: { requires: { tools: [teleport] } }';

const files = {
  'src/a.js': lines(12, 'a'),
  'src/long.js': lines(620, 'l'),
  'README.md': '# Title\n\nWords.\n',
  '.github/workflows/ci.yml': 'on: push\n',
  'package.json': '{}\n',
  'tools/skills/tiny/SKILL.md': `---
${tiny}
---
`,
  'tools/skills/needy/SKILL.md': `---
${needy}
---
`,
};
const links = { 'link.js': '/etc/passwd', out: '/etc' };
const fixed = 'export const a4 = 44;';
const passes = (text: (path: string) => string) => text('src/a.js').includes(fixed);
const project: ProjectFacts = { files, links: Object.keys(links), secret: canary, passes };

const inside = [
  'src/a.js',
  'src/a.js',
  'src/a.js',
  './src//a.js',
  'src/long.js',
  'README.md',
  'src/new.js',
  'lib/deep/new.js',
];
const outside = [
  '../x',
  '/etc/passwd',
  '.git/config',
  '.GIT/HEAD',
  'src/../../x',
  'link.js',
  'out/passwd',
  'src',
  '.',
  '',
  'src/*.js',
  'src/a.js/x',
  '.github/workflows/ci.yml',
  'deploy/id_rsa',
  'constitution.md',
  'a\0b',
  'C:/x',
  '..\\x',
  '~/x',
  'missing.js',
];

const path = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...inside) },
  { weight: 1, arbitrary: fc.constantFrom(...outside) },
);
const wild = fc.oneof(path, fc.constantFrom(...outside), fc.string({ maxLength: 12 }));
const line = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 14 }) },
  fc.integer({ min: 0, max: 700 }),
);
const content = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      fixed,
      'export const z = 1;',
      '',
      '\n',
      'export const p = 1;\nexport const q = 2;',
      '// x',
    ),
  },
  fc.constantFrom('function (', canary, `x${canary.slice(4, 20)}y`, 'a\0b'),
);
const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });
const made = (name: string, args: fc.Arbitrary<object>) => args.map(a => call(name, a));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const plan = made(
  'plan',
  fc.record({
    entry_symbols: fc.constant(['a4']),
    affected_files: fc.array(path, { minLength: 1, maxLength: 4 }),
    scope: fc.constant('some lines'),
    max_changed_lines: maybe(fc.integer({ min: 1, max: 40 })),
  }),
);
const read = made(
  'read_code_block',
  fc.record({
    requests: fc.array(
      fc.record({ file_path: path, start_line: maybe(line), end_line: maybe(line) }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
);
const edit = fc
  .record({ start_line: line, content })
  .chain(e =>
    maybe(fc.integer({ min: -1, max: 3 })).map(n =>
      n === undefined ? e : { ...e, end_line: Math.max(0, e.start_line + n) },
    ),
  );
const patch = made(
  'apply_patch',
  fc.record({
    files: fc.array(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({ path, edits: fc.array(edit, { minLength: 1, maxLength: 3 }) }),
        },
        fc.record({ path, content }),
        fc.record({ path, delete: fc.constant(true) }),
      ),
      { minLength: 1, maxLength: 2 },
    ),
    dry_run: maybe(fc.constant(true)),
  }),
);
const mild = fc.oneof(
  plan,
  { weight: 3, arbitrary: read },
  { weight: 3, arbitrary: patch },
  made('list_project_files', fc.record({ folder: maybe(fc.constantFrom('', 'src', 'lib')) })),
  fc.constantFrom(
    call('skill_activate', { skill_name: 'code-modify' }),
    call('skill_deactivate', { skill_name: 'code-modify' }),
    call('skill_activate', { skill_name: 'tiny' }),
    call('skill_activate', { skill_name: 'needy' }),
    call('read_code_block', { requests: [{ file_path: 'photon:code-modify/SKILL.md' }] }),
    call('undo', {}),
    call('patch', {}),
    call('verify', {}),
    call('run_command', { command: 'ls > build.log' }),
  ),
);
const hostile = fc.oneof(
  made(
    'read_code_block',
    fc.record({
      requests: fc.array(fc.record({ file_path: wild, start_line: line, end_line: line }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
  ),
  made('list_project_files', fc.record({ folder: wild })),
  made(
    'apply_patch',
    fc.record({
      files: fc.array(fc.record({ path: wild, content }), { minLength: 1, maxLength: 2 }),
    }),
  ),
  fc.constantFrom(
    call('skill_activate', { skill_name: 'root-shell' }),
    call('run_command', { command: 'echo x > src/a.js' }),
    call('run_command', { command: 'sed -i s/1/2/ src/a.js' }),
    call('finish', { reason: 'done' }),
    call('abstain', { reason: 'no' }),
    call('clarify', { reason: 'unresolved_symbol', question: '?', symbol: 'a4' }),
    call('clarify', {
      reason: 'destructive_paths',
      question: '?',
      choices: ['a', 'b'],
      destroys: ['1: src/a.js', '2: src/b.js'],
    }),
    call('delete_host_files', { path: '/' }),
    call('__proto__', {}),
  ),
);
const malformed = fc
  .tuple(
    fc.constantFrom(...tools.map(t => t.name)),
    fc.oneof(fc.json({ maxDepth: 2 }), fc.string({ maxLength: 20 })),
  )
  .map(([name, args]): ScriptedCall => ({ name, arguments: args }));
const any = fc.oneof(
  { weight: 8, arbitrary: mild },
  { weight: 1, arbitrary: hostile },
  { weight: 1, arbitrary: malformed },
);

const say = (calls: readonly ScriptedCall[]): ScriptedTurn => ({
  text: 'It is needed for the next step.',
  calls,
});
const round: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  { weight: 30, arbitrary: fc.array(any, { minLength: 1, maxLength: 3 }).map(say) },
  fc.array(any, { minLength: 1, maxLength: 2 }).map(calls => ({ text: ' ', calls })),
  fc.constant<ScriptedTurn>({ text: 'I have nothing to ask for.' }),
);

/** The straight way; only the right content passes the tests. */
const straightWith = (content: string): readonly ScriptedCall[] => [
  call('skill_activate', { skill_name: 'code-modify' }),
  call('plan', {
    entry_symbols: ['a4'],
    affected_files: ['src/a.js', 'README.md'],
    scope: 'one line',
  }),
  call('list_project_files', {}),
  call('read_code_block', { requests: [{ file_path: 'src/a.js', start_line: 1, end_line: 12 }] }),
  call('apply_patch', {
    files: [{ path: 'src/a.js', edits: [{ start_line: 4, content }] }],
  }),
  call('verify', {}),
  call('finish', { reason: 'done' }),
];

const straight = straightWith(fixed);
/** What the small skill lets be, and what it does not. */
const tinyWay: readonly ScriptedCall[] = [
  call('skill_activate', { skill_name: 'tiny' }),
  ...straight.slice(1, 3),
  call('read_code_block', { requests: [{ file_path: 'README.md', start_line: 1, end_line: 3 }] }),
  call('apply_patch', { files: [{ path: 'src/a.js', content: '' }] }),
  call('apply_patch', { files: [{ path: 'README.md', content: '# Title\n' }] }),
  call('apply_patch', { files: [{ path: 'README.md', content: '# Other\n' }] }),
];
const eitherWay = fc.constantFrom(
  straight,
  straight,
  straightWith('export const a4 = 5;'),
  tinyWay,
);

/** Valid ones, valid ones with something in between, reordered ones, and anything at all. */
const sequence: fc.Arbitrary<readonly ScriptedTurn[]> = fc.oneof(
  fc
    .tuple(
      eitherWay,
      fc.array(fc.tuple(fc.nat({ max: 6 }), fc.oneof({ weight: 6, arbitrary: mild }, malformed)), {
        maxLength: 4,
      }),
    )
    .map(([way, extra]) =>
      way.flatMap((step, i) => [
        say([step]),
        ...extra.filter(([at]) => at === i).map(([, c]) => say([c])),
      ]),
    ),
  fc
    .shuffledSubarray([...straight, ...straight], { minLength: 3 })
    .map(calls => calls.map(c => say([c]))),
  fc
    .array(round, { minLength: 1, maxLength: 8 })
    .map(rounds => [say(straight.slice(0, 3)), ...rounds]),
  fc.array(round, { minLength: 1, maxLength: 10 }),
);

/** How many sequences are played, each twice. */
const count = isAll ? 10_000 : 250;

describe(`${count} generated sequences of tool calls`, () => {
  let bench: EngineDouble;
  let before = '';
  beforeAll(async () => {
    // the oracle finds the entry of a call by the call's own number and arguments, which tags do not carry: a reply with one
    // malformed call is refused whole there. test/agent/protocols.test.ts compares the two.
    const skillRoots = ['photon:*', 'tools/skills'];
    bench = await openEngine({ files, links, passes, skillRoots, profile: 'photon' });
    before = fingerprint(bench.checkout);
  });
  afterAll(() => bench.close());

  it('break no rule, leave the checkout alone, and are judged the same again', async () => {
    const codes = new Map<string, number>();
    const endings = new Map<string, number>();
    const add = (counts: Map<string, number>, key: string) =>
      counts.set(key, (counts.get(key) ?? 0) + 1);
    await fc.assert(
      fc.asyncProperty(sequence, async turns => {
        const played = await bench.play(turns);
        expect(judgePlayed(played, turns, project)).toEqual([]);
        expect(
          auditLedger(played.ledgerText, { shipped: bench.policy, complete: true }).finding,
        ).toBeUndefined();
        const again = await bench.play(turns);
        expect(again.ledgerText).toBe(played.ledgerText);
        expect(again.patchDigest).toBe(played.patchDigest);
        for (const e of played.entries) if (e.decision !== 'pass') add(codes, String(e.code));
        add(endings, played.ending);
      }),
      { numRuns: count },
    );
    expect(fingerprint(bench.checkout)).toBe(before);
    // a generator that misses a rule, or never gets to the end, would prove nothing
    const unseen = ruleCodes.filter(code => !codes.has(code));
    // in a sample the rarest may be missing
    expect(unseen.length, `${unseen}`).toBeLessThanOrEqual(isAll ? 0 : 6);
    expect(endings.get('committed COMMITTED') ?? 0, JSON.stringify([...endings])).toBeGreaterThan(
      count / 50,
    );
    expect(endings.get('rolled_back VERIFY_FAILED') ?? 0).toBeGreaterThan(0);
  });
});
