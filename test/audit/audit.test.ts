import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreparedRun } from '../../src/agent/run/stages.ts';
import { type AuditReport, auditLedger } from '../../src/audit/audit.ts';
import { provePatch } from '../../src/audit/prove.ts';
import { digest } from '../../src/ledger/ledger.ts';
import { mark } from '../../src/ledger/mark.ts';
import { type EngineDouble, openEngine, type Played } from '../doubles/engine.ts';
import { type Forgeable, forgeLedger } from '../doubles/forge.ts';
import type { ScriptedCall, ScriptedTurn } from '../doubles/model.ts';

const fixed = 'const b = 2;';
const files = { 'src/a.js': 'const a = 1;\nconst b = 1;\nconst c = 1;\n', 'README.md': '# R\n' };
const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });
const patch = (content: string, line = 2) =>
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
  call('finish', { reason: 'x' }), // VERIFY_MISSING
  call('verify', {}), // fails
  patch(fixed),
  call('verify', {}),
  call('finish', { reason: 'x' }),
];
const turns: readonly ScriptedTurn[] = script.map(c => ({ text: 'It is needed now.', calls: [c] }));

let bench: EngineDouble;
let played: Played;
beforeAll(async () => {
  bench = await openEngine({ files, passes: text => text('src/a.js').includes(fixed) });
  played = await bench.play(turns);
});
afterAll(() => bench.close());

const audit = (text: string, more: { complete?: boolean; head?: string } = {}): AuditReport =>
  auditLedger(text, { shipped: bench.policy, complete: true, ...more });
const lines = () => played.ledgerText.split('\n').filter(Boolean);
const joined = (all: readonly string[]) => `${all.join('\n')}\n`;
const nth = (entries: Forgeable[], tool: string, n = 0) =>
  entries.filter(e => e.tool === tool)[n] ?? expect.fail(`no ${tool} ${n}`);
const seqOf = (tool: string, n = 0) =>
  played.entries.filter(e => e.tool === tool)[n]?.seq ?? expect.fail(`no ${tool}`);
/** The last check before a delivery, of a run with this ledger. */
const prove = (text: string) =>
  provePatch({
    policy: { constitution: bench.policy, shipped: bench.policy },
    environment: { secrets: [] },
    services: {
      session: {
        changes: () => [],
        conversions: async () => new Map(),
        otherwiseConverted: async () => null,
        fullTree: async () => 'tree',
      },
    },
    ledger: { append: () => {}, text: () => text },
  } as unknown as PreparedRun);
/** Audits a ledger that was changed and sealed again. */
const forged = (change: (entries: Forgeable[]) => void) =>
  audit(forgeLedger(played.ledgerText, change)).finding;

describe('an audit', () => {
  it('finds nothing wrong in a ledger of the engine, and summarises the run', () => {
    expect(played.ending).toBe('committed COMMITTED');
    const report = audit(played.ledgerText, { head: played.entries.at(-1)?.hash ?? '' });
    expect(report).toMatchObject({ finding: null, entries: played.entries.length, run: 'run' });
    expect(report.head).toBe(played.entries.at(-1)?.hash);
    expect(report.decisions).toEqual({ pass: played.entries.length - 4, abstain: 4 });
    expect(report.phases.join(' ')).toBe(
      'INPUT PLAN NAVIGATE READ PATCH VERIFY PATCH VERIFY COMMIT',
    );
  });

  it('says that a ledger of an earlier version has another format', () => {
    const [first = '', ...rest] = lines();
    const earlier = { ...JSON.parse(first), previous: digest('photon-ledger:1:run') };
    const { finding } = audit(joined([JSON.stringify(earlier), ...rest]));
    expect(finding).toMatchObject({ seq: 1, code: 'LEDGER_VERSION' });
  });

  it('wants a severity exactly where a call was refused', () => {
    const without = forgeLedger(played.ledgerText, e => {
      delete nth(e, 'list_project_files').severity;
    });
    const code = 'LEDGER_DECISION';
    expect(audit(without).finding).toMatchObject({ seq: seqOf('list_project_files'), code });
    const more = forgeLedger(played.ledgerText, e => {
      nth(e, 'finish').severity = 'abort';
    });
    expect(audit(more).finding?.code).toBe(code);
  });

  it('sealing again without a change is no finding', () => {
    expect(forgeLedger(played.ledgerText, () => {})).toBe(played.ledgerText);
  });

  it('names each entry in which one character was changed', () => {
    for (const [i, line] of lines().entries()) {
      for (const at of [
        line.indexOf('"time":"') + 10,
        line.indexOf('"phase":"') + 9,
        line.length - 5,
      ]) {
        const other = line[at] === 'A' ? 'B' : 'A';
        const changed = `${line.slice(0, at)}${other}${line.slice(at + 1)}`;
        const finding = audit(joined(lines().with(i, changed))).finding;
        expect(finding?.seq, `${i} ${at}`).toBe(i + 1);
        expect(['LEDGER_SEAL', 'LEDGER_UNREADABLE']).toContain(finding?.code);
      }
    }
  });

  it('names the entry at which another was removed, duplicated or moved', () => {
    const all = lines();
    for (let i = 0; i < all.length - 1; i++) {
      expect(audit(joined(all.toSpliced(i, 1))).finding).toMatchObject({
        seq: i + 1,
        code: 'LEDGER_SEAL',
      });
      expect(audit(joined(all.toSpliced(i, 0, all[i] ?? ''))).finding).toMatchObject({
        seq: i + 2,
        code: 'LEDGER_SEAL',
      });
      const swapped = all.with(i, all[i + 1] ?? '').with(i + 1, all[i] ?? '');
      expect(audit(joined(swapped)).finding).toMatchObject({ seq: i + 1, code: 'LEDGER_SEAL' });
    }
  });

  it('finds every truncation, and with the head even one that was sealed again', () => {
    const all = lines();
    for (let kept = 0; kept < all.length; kept++)
      expect(audit(joined(all.slice(0, kept)).replace(/^\n$/, '')).finding).toMatchObject({
        seq: kept + 1,
        code: 'LEDGER_TRUNCATED',
      });
    const half = joined(all.slice(0, 5)).slice(0, -40);
    expect(audit(half).finding).toMatchObject({ seq: 5, code: 'LEDGER_UNREADABLE' });
    const head = played.entries.at(-1)?.hash ?? '';
    const short = forgeLedger(played.ledgerText, entries => {
      entries.splice(4, 2);
    });
    expect(audit(short, { head }).finding).toMatchObject({ code: 'LEDGER_DECISION' });
    const calm = forgeLedger(played.ledgerText, entries => {
      for (const e of entries) e.time = '2020-01-01T00:00:00.000Z';
    });
    expect(audit(calm).finding).toBeNull();
    expect(audit(calm, { head }).finding).toMatchObject({ code: 'LEDGER_SEAL' });
  });

  it('accepts a run in progress without an end', () => {
    expect(audit(joined(lines().slice(0, -1)), { complete: false }).finding).toBeNull();
    expect(audit('', { complete: true }).finding).toMatchObject({
      seq: 1,
      code: 'LEDGER_TRUNCATED',
    });
  });

  const events = (e: Forgeable) => (e.call as { events: Record<string, unknown>[] }).events;
  const cases: readonly (readonly [string, (e: Forgeable[]) => void, string, () => number])[] = [
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
      'a read that was never made',
      e => e.splice(e.indexOf(nth(e, 'read_code_block', 1)), 1),
      'LEDGER_PHASE',
      () => seqOf('read_code_block', 1),
    ],
    [
      'a verification of another patch',
      e => Object.assign(events(nth(e, 'verify', 1))[0] ?? {}, { patchDigest: 'f'.repeat(64) }),
      'LEDGER_DECISION',
      () => seqOf('finish', 1),
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
      'evidence that no call added',
      e => {
        const forgotten = [events(nth(e, 'verify', 1))[0]];
        e.splice(5, 0, { ...nth(e, 'model.turn'), tool: 'context.fit', forgotten });
      },
      'LEDGER_DECISION',
      () => 6,
    ],
    [
      'parts left out of a patch that was not verified',
      e => {
        const minimise = { tool: 'minimise', facts: { passed: true }, phase: 'PATCH' };
        e.splice(e.indexOf(nth(e, 'verify', 1)), 0, { ...nth(e, 'model.turn'), ...minimise });
      },
      'LEDGER_DECISION',
      () => seqOf('verify', 1),
    ],
    [
      'parts left out before the commit',
      e =>
        e.splice(e.indexOf(nth(e, 'finish', 1)), 0, {
          ...nth(e, 'model.turn'),
          tool: 'minimise',
          facts: { passed: true },
          phase: 'COMMIT',
        }),
      'LEDGER_PHASE',
      () => seqOf('finish', 1),
    ],
    [
      'a delivery before the commit',
      e =>
        e.splice(e.indexOf(nth(e, 'finish', 1)), 0, {
          ...nth(e, 'model.turn'),
          tool: 'deliver',
          phase: 'COMMIT',
        }),
      'LEDGER_PHASE',
      () => seqOf('finish', 1),
    ],
    [
      'work after the end',
      e => e.push({ ...nth(e, 'model.turn'), phase: 'COMMIT' }),
      'LEDGER_PHASE',
      () => played.entries.length + 1,
    ],
    [
      'an end that is no commit said to be one',
      e => e.splice(e.indexOf(nth(e, 'finish', 1)), 1),
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
  it.each(cases)('finds %s, sealed again or not', (_name, change, code, seq) => {
    const finding = forged(change);
    expect(finding?.code, finding?.message).toBe(code);
    if (seq() > 0) expect(finding?.seq, finding?.message).toBe(seq());
  });

  // the others are about the end of a run, which is written after the delivery
  const early = cases.filter(([name]) => !/\b(end|answer)\b/.test(name));
  it.each(early)('lets no patch out if there is %s', async (_name, change, code) => {
    const forgedText = forgeLedger(played.ledgerText, entries => {
      change(entries);
      entries.splice(entries.indexOf(nth(entries, 'run.end')), 1);
    });
    await expect(prove(forgedText)).rejects.toMatchObject({
      code: 'EXECUTION_INVALID',
      message: expect.stringContaining(`: ${code}: `),
    });
  });

  it('lets a patch out with the ledger as it is', async () => {
    expect(early.length).toBeGreaterThan(20);
    const whole = joined(lines().slice(0, -1));
    await expect(prove(whole)).resolves.toMatchObject({ tree: 'tree' });
  });

  it('knows the phase that a call enters on its way, and finds one that is missing or made up', async () => {
    const again = await bench.play([
      ...turns.slice(1, 3),
      ...turns.slice(4, 6),
      ...turns.slice(4, 5),
      { text: 'It is needed now.', calls: [patch(fixed)] },
    ]);
    expect(audit(again.ledgerText)).toMatchObject({ finding: null });
    expect(audit(again.ledgerText).phases.join(' ')).toBe(
      'INPUT PLAN NAVIGATE READ NAVIGATE READ PATCH ROLLBACK',
    );
    const changed = (change: (e: Forgeable) => void, tool: string) =>
      audit(forgeLedger(again.ledgerText, entries => change(nth(entries, tool)))).finding?.code;
    expect(changed(e => Reflect.deleteProperty(e, 'via'), 'apply_patch')).toBe('LEDGER_PHASE');
    expect(changed(e => Object.assign(e, { via: 'NAVIGATE' }), 'read_code_block')).toBe(
      'LEDGER_PHASE',
    );
    expect(changed(e => Object.assign(e, { via: 'READ' }), 'model.turn')).toBe('LEDGER_PHASE');
  });

  it('finds too many refusals, violations and failed verifications', async () => {
    const missing = { ...turns[0] } as ScriptedTurn;
    const many = await bench.play(Array.from({ length: 11 }, () => missing));
    expect(many.ending).toBe('failed CORRECTIONS_EXHAUSTED');
    expect(audit(many.ledgerText).finding).toBeNull();
    const goesOn = (p: Played, entry: number) =>
      audit(forgeLedger(p.ledgerText, e => e.splice(-1, 0, { ...(e.at(entry) ?? expect.fail()) })))
        .finding;
    expect(goesOn(many, -2)?.message).toContain('should have ended: 11 refusals');
    const violation = await bench.play([
      ...turns.slice(1, 5),
      {
        text: 'It may be there.',
        calls: [call('read_code_block', { requests: [{ file_path: '/etc/passwd' }] })],
      },
    ]);
    expect(violation.ending).toBe('failed PATH_ESCAPE');
    expect(goesOn(violation, -2)?.message).toContain('should have ended: 1 violations');
    const refused = violation.entries.at(-2) as unknown as Forgeable;
    const late = forgeLedger(played.ledgerText, e =>
      e.splice(-1, 0, { ...refused, run: nth(e, 'plan').run, phase: 'COMMIT' }),
    );
    expect(audit(late).finding?.message).toBe('committed, though 1 violations');
    const failing = await bench.play([
      ...turns.slice(1, 6),
      ...['1', '2', '3', '4'].flatMap(n => [
        { text: 'I try once more.', calls: [patch(`const b = 1${n};`)] },
        { text: 'And prove it.', calls: [call('verify', {})] },
      ]),
    ]);
    expect(failing.ending).toBe('rolled_back VERIFY_FAILED');
    expect(audit(failing.ledgerText).finding).toBeNull();
    expect(goesOn(failing, -2)?.message).toContain('should have ended: 4 failed verifications');
    const committed = forgeLedger(failing.ledgerText, e => {
      Object.assign(nth(e, 'run.end'), { phase: 'VERIFY', facts: { status: 'committed' } });
    });
    expect(audit(committed).finding?.code).toBe('LEDGER_PHASE');
    const note = (entries: Forgeable[], place: number) => {
      const made = {
        ...mark('run.note', {}),
        phase: 'ROLLBACK',
        outcome: { note: 'a'.repeat(64) },
      };
      entries.splice(place, 0, { ...entries.at(-1), ...made });
    };
    const noted = forgeLedger(failing.ledgerText, e => note(e, e.length));
    expect(audit(noted).finding).toBeNull();
    const early = forgeLedger(failing.ledgerText, e => note(e, e.length - 1));
    expect(audit(early).finding?.code).toBe('LEDGER_PHASE');
  });
});
