/** The verdict about a patch stands, whatever becomes of its proof. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import type { Verification } from '../../src/base/outcome.ts';
import { type PassedPatch, proveVerdict } from '../../src/verify/prove-verdict.ts';

const verdict: Verification = { require: 'pass', passed: true, regressions: [], patchDigest: 'd' };
const prove = (require: 'pass' | 'decided', error: unknown) => {
  const lines: string[] = [];
  const measure = () => Promise.reject(error);
  const options = { require, measure, log: (line: string) => void lines.push(line) };
  const proving = proveVerdict(options, { ...verdict, require }, {} as PassedPatch);
  return { proving, lines };
};

describe('a verdict', () => {
  it.each(['CANCELLED', 'BUDGET_TIME', 'SETUP_FAILED'] as const)(
    'stands if its proof ends with %s',
    async code => {
      const { proving, lines } = prove('pass', new PhotonError(code));
      const { verification, message } = await proving;
      expect(verification).toEqual(verdict);
      expect(message).toBe('Verification passed.');
      expect(lines).toEqual([expect.stringContaining('the verdict stands')]);
    },
  );

  it('is none without the proof that the settings require', async () => {
    const { proving } = prove('decided', new PhotonError('CANCELLED'));
    await expect(proving).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('hides no fault of Photon', async () => {
    await expect(prove('pass', new TypeError('x')).proving).rejects.toThrow(TypeError);
  });
});
