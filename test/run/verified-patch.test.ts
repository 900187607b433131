/** No patch leaves without its proof in the ledger. */
import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/run/stages.ts';
import { provePatch } from '../../src/run/verified-patch.ts';
import { bench, cases, joined, lines, nth, played, useEngine } from '../audit/ledgers.ts';
import { forgeLedger } from '../doubles/forge.ts';

/** The last check before a delivery, of a run with this ledger. */
const prove = (text: string) =>
  provePatch({
    policy: { constitution: bench.policy, shipped: bench.policy },
    request: {
      environment: { secrets: [] },
      task: { prompt: '' },
      ledger: { append: () => {}, text: () => text },
    },
    state: {},
    services: {
      session: {
        changes: () => [],
        conversions: async () => new Map(),
        otherwiseConverted: async () => undefined,
        fullTree: async () => 'tree',
        patchDigest: () => '',
      },
    },
  } as unknown as Run);

useEngine();

describe('an audit', () => {
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
});
