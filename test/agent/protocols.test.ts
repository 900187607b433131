import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from '../../src/audit/audit.ts';
import { tools } from '../../src/tools/index.ts';
import { type EngineDouble, openEngine, type Played } from '../doubles/engine.ts';
import type { ScriptedCall } from '../doubles/model.ts';
import { isAll } from '../seed.ts';

const lines = Array.from({ length: 12 }, (_, i) => `export const a${i + 1} = ${i + 1};\n`).join('');
const files = {
  'src/a.js': lines,
  'README.md': '# Title\n',
  '.github/workflows/ci.yml': 'on: push\n',
};
const fixed = 'export const a4 = 44;';
const options = {
  files,
  passes: (text: (path: string) => string) => text('src/a.js').includes(fixed),
};

const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });
const path = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('src/a.js', 'src/a.js', 'src/a.js', 'src/new.js') },
  { weight: 1, arbitrary: fc.constantFrom('README.md', '../x', 'src', '.github/workflows/ci.yml') },
);
const line = fc.integer({ min: 0, max: 14 });
const content = fc.constantFrom(
  ...[
    fixed,
    fixed,
    '',
    '\n',
    'if (a < b && c > d) {}',
    '<plan>&amp;</plan>]]>',
    '  x;\n\n',
    '<',
    ' ',
  ],
);
const orNot = (key: string, value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc.constant({}),
    value.map(v => ({ [key]: v })),
  );
const request = fc
  .tuple(path, orNot('start_line', line), orNot('end_line', line), orNot('symbol_name', content))
  .map(([file_path, ...more]) => Object.assign({ file_path }, ...more) as object);
const edit = fc
  .tuple(line, orNot('end_line', line), content)
  .map(([start_line, more, text]) => ({ start_line, ...more, content: text }));
const file = fc
  .tuple(
    path,
    fc.oneof(
      fc.array(edit, { minLength: 1, maxLength: 2 }).map(edits => ({ edits })),
      content.map(text => ({ content: text })),
      fc.constant({ delete: true }),
    ),
  )
  .map(([p, more]) => ({ path: p, ...more }));

/** Calls that both protocols can say, right ones and wrong ones. */
const anyCall: fc.Arbitrary<ScriptedCall> = fc.oneof(
  fc.constantFrom(
    call('skill_activate', { skill_name: 'code-modify' }),
    call('plan', { entry_symbols: ['a4'], affected_files: ['src/a.js'], scope: 'a < b & c' }),
    call('list_project_files', {}),
    call('verify', {}),
    call('undo', {}),
    call('patch', { all: true }),
    call('ram_add', { key: 'plan', value: '<plan>&' }),
    call('ram_delete', { key: 'plan' }),
    call('state_add', { state: 'reviewing' }),
    call('finish', { reason: 'done' }),
  ),
  fc
    .array(request, { minLength: 1, maxLength: 2 })
    .map(requests => call('read_code_block', { requests })),
  fc.array(file, { minLength: 1, maxLength: 2 }).map(f => call('apply_patch', { files: f })),
  content.map(pattern => call('grep', { pattern, ignore_case: true })),
  line.map(offset => call('list_project_files', { folder: 'src', offset })),
);
const usual = [
  call('skill_activate', { skill_name: 'code-modify' }),
  call('plan', { entry_symbols: ['a4'], affected_files: ['src/a.js', 'src/new.js'], scope: 'x' }),
  call('list_project_files', {}),
  call('read_code_block', { requests: [{ file_path: 'src/a.js', start_line: 1, end_line: 12 }] }),
];
const sequences = fc
  .tuple(
    fc.constantFrom(0, 3, 3, 4, 4, 4),
    fc.array(fc.record({ calls: fc.array(anyCall, { maxLength: 4 }), said: fc.nat(9) }), {
      maxLength: 8,
    }),
  )
  .map(([begun, rounds]) => [
    ...(begun > 0 ? [{ text: 'I begin as usual.', calls: usual.slice(0, begun) }] : []),
    ...rounds.map(({ calls, said }, i) => ({
      text: said === 0 ? '' : `Round ${i} is for this.`,
      calls,
    })),
  ]);

/** An edit of a line outside what was read: a rare draw, so every run plays it. */
const unread = [
  {
    text: 'I read two lines.',
    calls: [
      ...usual.slice(0, 3),
      call('read_code_block', {
        requests: [{ file_path: 'src/a.js', start_line: 1, end_line: 2 }],
      }),
    ],
  },
  {
    text: 'This is the change.',
    calls: [
      call('apply_patch', {
        files: [{ path: 'src/a.js', edits: [{ start_line: 4, content: fixed }] }],
      }),
    ],
  },
];

let benches: readonly EngineDouble[];
beforeAll(async () => {
  benches = await Promise.all(
    ['photon', 'kjxlkj-agent'].map(profile =>
      // what a conversation still shows would decide, too
      openEngine({ ...options, profile, memory: 'transcript' }),
    ),
  );
});
afterAll(() => {
  for (const bench of benches) bench.close();
});

/** Everything that was judged and done; the order of keys in arguments is the model's own. */
const whatWasDone = ({ ending, entries, changes, patchDigest }: Played) => ({
  ending,
  patchDigest,
  changes: changes.map(c => c.path),
  entries: entries
    .filter(e => !['run.start', 'run.evidence'].includes(e.tool))
    .map(({ tool, phase, decision, code, paths, evidence, facts, call: judged }) => ({
      tool,
      phase,
      decision,
      code,
      paths,
      evidence,
      // tool calls and tags have different lengths
      facts: tool === 'model.turn' ? { ...facts, inputTokens: undefined } : facts,
      judged,
    })),
});

it('the same decisions in tool calls and in tags are judged and carried out the same', {
  timeout: 600_000,
}, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(sequences, async rounds => {
      // an empty reply is the endpoint's failure, not a decision
      const turns = rounds.filter(t => t.text !== '' || t.calls.length > 0);
      const [native, xml] = await Promise.all(benches.map(b => b.play(turns)));
      expect(whatWasDone(xml as Played)).toEqual(whatWasDone(native as Played));
      for (const [i, played] of [native, xml].entries()) {
        const text = played?.ledgerText ?? '';
        const policy = benches[i]?.policy;
        if (policy === undefined) throw new Error('no bench');
        expect(auditLedger(text, { shipped: policy, complete: true }).finding).toBeUndefined();
      }
      for (const e of native?.entries ?? []) seen.add(e.code ?? `${e.tool} ${e.decision}`);
    }),
    { numRuns: isAll ? 500 : 30, endOnFailure: true, examples: [[unread]] },
  );
  const passed = tools.map(t => `${t.name} pass`).filter(t => seen.has(t));
  expect(passed.length).toBeGreaterThan(10);
  for (const code of [
    'PLAN_MISSING',
    'STALE_READ',
    'THINK_MISSING',
    'ARGUMENTS_INVALID',
    'CALL_MISSING',
    'PATH_ESCAPE',
    'TOOL_NOT_PERMITTED',
  ])
    expect(seen).toContain(code);
});
