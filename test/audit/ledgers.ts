/** A ledger of the engine, and ways to forge it. */
import { afterAll, beforeAll, expect } from 'vitest';
import { type EngineDouble, openEngine, type Played } from '../doubles/engine.ts';
import type { Forgeable } from '../doubles/forge.ts';
import type { ScriptedCall, ScriptedTurn } from '../doubles/model.ts';

export const fixed = 'const b = 2;';

const files = { 'src/a.js': 'const a = 1;\nconst b = 1;\nconst c = 1;\n', 'README.md': '# R\n' };

export const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });

export const patch = (content: string, line = 2) =>
  call('apply_patch', { files: [{ path: 'src/a.js', edits: [{ start_line: line, content }] }] });

const plan = call('plan', {
  entry_symbols: ['b'],
  affected_files: ['src/a.js'],
  scope: 'one line',
  max_changed_lines: 2,
});

const read = (end: number) =>
  call('read_code_block', { requests: [{ file_path: 'src/a.js', start_line: 1, end_line: end }] });

const script: readonly ScriptedCall[] = [
  call('list_project_files', {}), // PLAN_MISSING
  call('skill_activate', { skill_name: 'code-modify' }),
  plan,
  read(2), // NAVIGATION_MISSING
  call('list_project_files', {}),
  read(2),
  patch('x', 3), // STALE_READ
  patch('const b = 3;'),
  call('finish', { reason: 'x' }), // verifies first, which fails
  patch(fixed),
  call('verify', {}),
  call('finish', { reason: 'x' }),
];

export const turns: readonly ScriptedTurn[] = script.map(c => ({
  text: 'It is needed now. This is the next step.',
  calls: [c],
}));

export let bench: EngineDouble;

export let played: Played;

export const lines = () => played.ledgerText.split('\n').filter(Boolean);

export const joined = (all: readonly string[]) => `${all.join('\n')}\n`;

export const nth = (entries: Forgeable[], tool: string, n = 0) =>
  entries.filter(e => e.tool === tool)[n] ?? expect.fail(`no ${tool} ${n}`);

export const seqOf = (tool: string, n = 0) =>
  played.entries.filter(e => e.tool === tool)[n]?.seq ?? expect.fail(`no ${tool}`);

const linesUpTo = (endLine: number) => [{ startLine: 1, endLine }];

const events = (e: Forgeable) => (e.call as { events: Record<string, unknown>[] }).events;

export const cases: readonly (readonly [string, (e: Forgeable[]) => void, string, () => number])[] =
  [
    [
      'a refusal said to be a pass',
      e => Object.assign(nth(e, 'list_project_files'), { decision: 'pass', code: null }),
      'LEDGER_DECISION',
      () => seqOf('list_project_files'),
    ],
    [
      'a pass said to be a refusal',
      e =>
        Object.assign(nth(e, 'plan'), {
          decision: 'abstain',
          severity: 'correct',
          code: 'STALE_READ',
        }),
      'LEDGER_DECISION',
      () => seqOf('plan'),
    ],
    [
      'a refusal with another code',
      e => Object.assign(nth(e, 'list_project_files'), { code: 'STALE_READ' }),
      'LEDGER_DECISION',
      () => seqOf('list_project_files'),
    ],
    [
      'a refusal of another class',
      e => Object.assign(nth(e, 'list_project_files'), { decision: 'abstain', severity: 'abort' }),
      'LEDGER_DECISION',
      () => seqOf('list_project_files'),
    ],
    [
      'a phase that the table does not lead to',
      e => Object.assign(nth(e, 'apply_patch', 1), { phase: 'READ' }),
      'LEDGER_PHASE',
      () => seqOf('apply_patch', 1),
    ],
    [
      'a refused call that moved the phase',
      e => Object.assign(nth(e, 'apply_patch'), { phase: 'PATCH' }),
      'LEDGER_PHASE',
      () => seqOf('apply_patch'),
    ],
    [
      'a plan that was never made',
      e => e.splice(e.indexOf(nth(e, 'plan')), 1),
      'LEDGER_PHASE',
      () => seqOf('plan'),
    ],
    [
      'a verification of another patch',
      e => Object.assign(events(nth(e, 'verify', 1))[0] ?? {}, { patchDigest: 'f'.repeat(64) }),
      'LEDGER_DECISION',
      () => seqOf('finish'),
    ],
    [
      'evidence of a refused call',
      e => {
        (events(nth(e, 'list_project_files')) as unknown[]).push({
          kind: 'navigated',
          files: ['src/a.js'],
          folders: [''],
        });
      },
      'LEDGER_DECISION',
      () => seqOf('list_project_files'),
    ],
    [
      'a looser law',
      e => {
        (
          nth(e, 'run.start').policy as { constitution: { limits: Record<string, number> } }
        ).constitution.limits.read_lines = 501;
      },
      'LEDGER_POLICY',
      () => 1,
    ],
    [
      'a weaker class',
      e => {
        (
          nth(e, 'run.start').policy as { constitution: { rules: Record<string, string> } }
        ).constitution.rules.READ_LIMIT = 'abstain';
      },
      'LEDGER_POLICY',
      () => 1,
    ],
    [
      'an open path',
      e => {
        (
          nth(e, 'run.start').policy as { constitution: { protectedPaths: string[] } }
        ).constitution.protectedPaths.shift();
      },
      'LEDGER_POLICY',
      () => 1,
    ],
    [
      'no law',
      e => {
        delete nth(e, 'run.start').policy;
      },
      'LEDGER_POLICY',
      () => 1,
    ],
    ['a run without its start', e => e.splice(0, 1), 'LEDGER_SEAL', () => 1],
    ['a run without its evidence', e => e.splice(1, 1), 'LEDGER_PHASE', () => 2],
    ['a second start', e => e.splice(5, 0, { ...nth(e, 'run.start') }), 'LEDGER_POLICY', () => 6],
    [
      'a second evidence',
      e => e.splice(5, 0, { ...nth(e, 'run.evidence') }),
      'LEDGER_POLICY',
      () => 6,
    ],
    [
      'a delivery without a proof',
      e => e.splice(12, 0, { ...nth(e, 'model.turn'), tool: 'deliver', phase: 'COMMIT' }),
      'LEDGER_DECISION',
      () => 13,
    ],
    [
      'a delivery on a newer base that the patch does not pass on',
      e => {
        const at = e.length - 1;
        const reapply = { tool: 'reapply', facts: { passed: false }, phase: 'COMMIT' };
        e.splice(at, 0, { ...nth(e, 'model.turn'), ...reapply });
        e.splice(at + 1, 0, { ...nth(e, 'model.turn'), tool: 'deliver', phase: 'COMMIT' });
      },
      'LEDGER_DECISION',
      () => played.entries.length + 1,
    ],
    [
      'skills that were read again, without their names',
      e => e.splice(5, 0, { ...nth(e, 'model.turn'), tool: 'skills.read' }),
      'LEDGER_UNREADABLE',
      () => 6,
    ],
    [
      'a result that shows billions of lines',
      e => Object.assign(events(nth(e, 'read_code_block', 1))[0] ?? {}, { lines: linesUpTo(4e9) }),
      'LEDGER_UNREADABLE',
      () => seqOf('read_code_block', 1),
    ],
    [
      'results that show too many lines together',
      e => {
        const forget = (end: number) => [{ kind: 'forgotten', path: 'a', lines: linesUpTo(end) }];
        const fit = { ...nth(e, 'model.turn'), tool: 'context.fit' };
        e.splice(5, 0, { ...fit, forgotten: forget(9) }, { ...fit, forgotten: forget(9_999_999) });
      },
      'LEDGER_UNREADABLE',
      () => 7,
    ],
    [
      'a changed file of billions of lines',
      e => {
        const { facts } = nth(e, 'apply_patch').call as { facts: object[] };
        for (const fact of facts) Object.assign(fact, { lines: 4e9 });
      },
      'LEDGER_UNREADABLE',
      () => seqOf('apply_patch'),
    ],
    [
      'evidence that no call added',
      e => {
        const forgotten = [events(nth(e, 'verify', 1))[0]];
        e.splice(5, 0, { ...nth(e, 'model.turn'), tool: 'context.fit', forgotten });
      },
      'LEDGER_DECISION',
      () => 6,
    ],
    [
      'work after the end',
      e => e.push({ ...nth(e, 'model.turn'), phase: 'COMMIT' }),
      'LEDGER_PHASE',
      () => played.entries.length + 1,
    ],
    [
      'an end that is no commit said to be one',
      e => e.splice(e.indexOf(nth(e, 'finish')), 1),
      'LEDGER_PHASE',
      () => played.entries.length - 1,
    ],
    [
      'an end of no known kind',
      e => Object.assign(nth(e, 'run.end'), { facts: { status: 'fine' } }),
      'LEDGER_UNREADABLE',
      () => played.entries.length,
    ],
    [
      'a patch said to be an answer',
      e => Object.assign(nth(e, 'run.end'), { facts: { status: 'answered' } }),
      'LEDGER_DECISION',
      () => played.entries.length,
    ],
    [
      'an end in another phase',
      e => Object.assign(nth(e, 'run.end'), { phase: 'ROLLBACK' }),
      'LEDGER_PHASE',
      () => played.entries.length,
    ],
    [
      'a call without its trace',
      e => {
        delete nth(e, 'plan').call;
      },
      'LEDGER_UNREADABLE',
      () => seqOf('plan'),
    ],
    [
      'a field that no entry has',
      e => {
        nth(e, 'plan').note = 'hello';
      },
      'LEDGER_UNREADABLE',
      () => seqOf('plan'),
    ],
    [
      'a silent turn',
      e => Object.assign(nth(e, 'model.turn', 2), { facts: {} }),
      'LEDGER_DECISION',
      () => seqOf('plan'),
    ],
    [
      'a turn in another phase',
      e => Object.assign(nth(e, 'model.turn', 2), { phase: 'PLAN' }),
      'LEDGER_PHASE',
      () => seqOf('model.turn', 2),
    ],
    [
      'another run',
      e => Object.assign(nth(e, 'plan'), { run: 'other' }),
      'LEDGER_SEAL',
      () => seqOf('plan'),
    ],
  ];

/** Opens and closes it for the tests of a file. */
export function useEngine(): void {
  beforeAll(async () => {
    const passes = (text: (path: string) => string) => text('src/a.js').includes(fixed);
    // by the letter, looks can be refused as well
    bench = await openEngine({ files, passes, reads: 'strict' });
    played = await bench.play(turns);
  });
  afterAll(() => bench.close());
}
