/** Two bugs of the repair benchmark's tuning half, played through the built engine and judged by meaning. */
import { describe, expect, it } from 'vitest';
import { readCases } from '../../bench/repair/cases.ts';
import { keep } from '../../bench/repair/kept.ts';
import { measureCase } from '../../bench/repair/measure.ts';
import { playsVariants } from '../seed.ts';

describe('the repair benchmark', () => {
  it.runIf(playsVariants).each(['month-days', 'booking-calendar', 'prime-factors'])(
    '%s is repaired',
    async name => {
      const bug = readCases().get(name);
      if (bug?.half !== 'tuning') throw new Error(`${name} is no case of the tuning half`);
      const measured = await measureCase(bug);
      expect(measured).toMatchObject({ result: 'repaired', outcome: { engine: 'builtin' } });
      expect(keep(measured, 0)).toMatchObject({ name, detail: measured.detail });
      // of the other half nothing is kept that shows what was found
      const hidden = keep({ ...measured, bug: { ...bug, half: 'held-out' } }, 0);
      expect(hidden).not.toHaveProperty('detail');
      expect(hidden).not.toHaveProperty('repair');
    },
    110_000,
  );
});
