import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playsVariants } from '../../seed.ts';
import { photon, runSample, useClone } from '../clone.ts';

useClone();

describe('photon audit', () => {
  /** A run, and the path of its ledger. */
  async function ranLedger() {
    const run = await runSample();
    return /^ledger: +(.*)$/m.exec(run.err)?.[1] ?? expect.fail(run.err);
  }

  it('judges a run again from its ledger, and names the entry that was changed', async () => {
    const ledger = await ranLedger();
    const good = await photon(['audit', ledger]);
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out).toContain(
      'phases:    INPUT > PLAN > NAVIGATE > READ > PATCH > VERIFY > COMMIT',
    );
    expect(good.out.endsWith('valid\n')).toBe(true);
    const lines = readFileSync(ledger, 'utf8').split('\n');
    writeFileSync(
      ledger,
      lines.with(6, (lines[6] ?? '').replace('"pass"', '"abstain"')).join('\n'),
    );
    const bad = await photon(['audit', ledger]);
    expect(bad.code).toBe(1);
    expect(bad.out).toContain('deviates at entry 7: LEDGER_SEAL');
    expect(bad.out).toContain('help: ');
  });

  it.runIf(playsVariants)(
    'compares with the head of the outcome next to it, or with the given one',
    async () => {
      const ledger = await ranLedger();
      const outcome = join(ledger, '..', 'outcome.json');
      const text = readFileSync(outcome, 'utf8');
      writeFileSync(outcome, text.replace(/"head": "\w{64}"/, `"head": "${'0'.repeat(64)}"`));
      const other = await photon(['audit', ledger]);
      expect(other).toMatchObject({ code: 1 });
      expect(other.out).toContain('LEDGER_SEAL: no entry has the given hash');
      const hash = /"hash":"(\w{64})"/.exec(
        readFileSync(ledger, 'utf8').split('\n').at(-2) ?? '',
      )?.[1];
      const named = await photon(['audit', ledger, '--head', hash ?? '']);
      expect(named).toMatchObject({ code: 1 });
      expect(named.out).toContain('LEDGER_OUTCOME: ledger.head: ');
      writeFileSync(outcome, text);
      expect(await photon(['audit', ledger, '--head', hash ?? ''])).toMatchObject({ code: 0 });
    },
  );
});
