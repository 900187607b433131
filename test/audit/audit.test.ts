import { describe, expect, it } from 'vitest';
import { type AuditReport, auditLedger } from '../../src/audit/audit.ts';
import { digest } from '../../src/base/digest.ts';
import { mark } from '../../src/ledger/ledger.ts';
import type { Played } from '../doubles/engine.ts';
import { type Forgeable, forgeLedger } from '../doubles/forge.ts';
import type { ScriptedTurn } from '../doubles/model.ts';
import {
  bench,
  call,
  cases,
  fixed,
  joined,
  lines,
  nth,
  patch,
  played,
  seqOf,
  turns,
  useEngine,
} from './ledgers.ts';

const audit = (text: string, more: { complete?: boolean; head?: string } = {}): AuditReport =>
  auditLedger(text, { shipped: bench.policy, complete: true, ...more });

/** Audits a ledger that was changed and sealed again. */
const forged = (change: (entries: Forgeable[]) => void) =>
  audit(forgeLedger(played.ledgerText, change)).finding;

useEngine();

describe('an audit', () => {
  it('finds nothing wrong in a ledger of the engine, and summarises the run', () => {
    expect(played.ending).toBe('committed COMMITTED');
    const report = audit(played.ledgerText, { head: played.entries.at(-1)?.hash ?? '' });
    expect(report).toMatchObject({
      finding: undefined,
      entries: played.entries.length,
      run: 'run',
    });
    expect(report.head).toBe(played.entries.at(-1)?.hash);
    expect(report.decisions).toEqual({ pass: played.entries.length - 3, abstain: 3 });
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
    expect(audit(calm).finding).toBeUndefined();
    expect(audit(calm, { head }).finding).toMatchObject({ code: 'LEDGER_SEAL' });
  });

  it('accepts a run in progress without an end', () => {
    expect(audit(joined(lines().slice(0, -1)), { complete: false }).finding).toBeUndefined();
    expect(audit('', { complete: true }).finding).toMatchObject({
      seq: 1,
      code: 'LEDGER_TRUNCATED',
    });
  });

  it.each(cases)('finds %s, sealed again or not', (_name, change, code, seq) => {
    const finding = forged(change);
    expect(finding?.code, finding?.message).toBe(code);
    if (seq() > 0) expect(finding?.seq, finding?.message).toBe(seq());
  });

  it('knows the phase that a call enters on its way, and finds one that is missing or made up', async () => {
    const again = await bench.play([
      ...turns.slice(1, 3),
      ...turns.slice(4, 6),
      ...turns.slice(4, 5),
      { text: 'It is needed now. This is the next step.', calls: [patch(fixed)] },
    ]);
    expect(audit(again.ledgerText)).toMatchObject({ finding: undefined });
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
    expect(audit(many.ledgerText).finding).toBeUndefined();
    const goesOn = (p: Played, entry: number) =>
      audit(forgeLedger(p.ledgerText, e => e.splice(-1, 0, { ...(e.at(entry) ?? expect.fail()) })))
        .finding;
    const together = { ...missing, calls: Array.from({ length: 12 }, () => missing.calls?.[0]) };
    const once = await bench.play([together as ScriptedTurn]);
    expect(once.ending).toBe('abstained ABSTAINED');
    expect(audit(once.ledgerText).finding).toBeUndefined();
    expect(goesOn(many, -2)?.message).toContain('should have ended: 11 rounds with refusals');
    const violation = await bench.play([
      ...turns.slice(1, 5),
      {
        text: 'It may be there. This is the next step.',
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
        { text: 'I try once more. This is the next step.', calls: [patch(`const b = 1${n};`)] },
        { text: 'And prove it. This is the next step.', calls: [call('verify', {})] },
      ]),
    ]);
    expect(failing.ending).toBe('rolled_back VERIFY_FAILED');
    expect(audit(failing.ledgerText).finding).toBeUndefined();
    expect(goesOn(failing, -2)?.message).toContain('should have ended: 4 failed verifications');
    const committed = forgeLedger(failing.ledgerText, e => {
      Object.assign(nth(e, 'run.end'), { phase: 'VERIFY', facts: { status: 'committed' } });
    });
    expect(audit(committed).finding?.code).toBe('LEDGER_PHASE');
    const note = (entries: Forgeable[], place: number) => {
      const made = {
        ...mark('run.note', {}),
        phase: 'ROLLBACK',
        states: { notes: ['a'.repeat(64)] },
      };
      entries.splice(place, 0, { ...entries.at(-1), ...made });
    };
    const noted = forgeLedger(failing.ledgerText, e => note(e, e.length));
    expect(audit(noted).finding).toBeUndefined();
    const early = forgeLedger(failing.ledgerText, e => note(e, e.length - 1));
    expect(audit(early).finding?.code).toBe('LEDGER_PHASE');
  });
});
