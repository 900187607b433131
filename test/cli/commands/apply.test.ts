import { describe, expect, it } from 'vitest';
import { startModel } from '../../doubles/model.ts';
import { sampleTask } from '../../doubles/sample.ts';
import { playsVariants } from '../../seed.ts';
import {
  apply,
  extend,
  photon,
  repairByHand,
  repairIt,
  repo,
  tested,
  undo,
  useStage,
} from '../undo-stage.ts';

useStage();

describe('photon run --apply, again', () => {
  /** A second run; how it ended, and what the model was asked. */
  async function again() {
    const model = await startModel(extend);
    try {
      const args = ['run', '--repo', repo, '--task', sampleTask, '--apply', ...tested];
      const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
      return { ...(await photon(args, env)), requests: model.requests.length };
    } finally {
      await model.close();
    }
  }

  it.runIf(playsVariants)(
    'says at once that the first patch is not saved, and what to do',
    async () => {
      await apply(repairIt);
      const second = await again();
      expect(second.err).toMatch(
        /^error: --apply could overwrite unsaved changes: src\/price\.js\. \[CHECKOUT_MISMATCH\]\nhelp: Commit or stash them, or take an earlier patch back with photon undo\./m,
      );
      expect([second.code, second.requests]).toEqual([1, 0]);
      await undo();
      repairByHand();
      expect((await again()).err).toContain('applied (APPLIED)');
    },
  );
});
