/** What becomes of a patch when its base moved while the run worked. */
import { describe, expect, it } from 'vitest';
import { inTotoStatement } from '../../src/audit/statement.ts';
import { sampleFiles, testedByNode } from '../doubles/sample.ts';
import { playsVariants } from '../seed.ts';
import { meanwhile, play } from './scenario.ts';

const price = sampleFiles['src/price.js'] ?? '';

describe('a base that moved while the run worked', () => {
  it('gets the patch applied and verified again, lines of others kept', async () => {
    const moved = meanwhile(g => {
      g.store.push('main', {
        'src/price.js': price.replace('5000', '6000 - 1000'),
        'new/x.txt': 'x\n',
      });
    });
    await play({ ...moved, reapplied: true, movesBase: true }, run => {
      const { outcome, outputs, github, patch, ledger } = run;
      const { store } = github;
      expect(outcome, outcome.message).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      expect(store.git(['rev-parse', `${outputs.commit}^`])).toBe(store.git(['rev-parse', 'main']));
      expect(outcome.base.commit).toBe(store.git(['rev-parse', 'main']));
      const made = store.git(['show', `${outputs.commit}:src/price.js`]);
      expect(made).toContain('/ 100');
      expect(made).toContain('6000 - 1000');
      expect(store.git(['diff', '--full-index', 'main', outputs.commit ?? '']).trimEnd()).toBe(
        patch.trimEnd(),
      );
      expect(ledger.find(e => e.tool === 'reapply')).toMatchObject({ facts: { passed: true } });
      expect(outcome.notes.join()).toContain('applied there and verified again');
    });
  });

  it.runIf(playsVariants)(
    'keeps the proof of the earlier base, and says that it is from there',
    async () => {
      const moved = meanwhile(g => g.store.push('main', { 'new.txt': 'x\n' }));
      const scenario = { ...moved, files: testedByNode, config: { verify: { budgetSeconds: 60 } } };
      await play({ ...scenario, reapplied: true, movesBase: true }, run => {
        const { outcome, github, patch } = run;
        expect(outcome, outcome.message).toMatchObject({ status: 'committed' });
        const earlierBase = github.store.git(['rev-parse', 'main^']);
        const { proof } = outcome.verification ?? {};
        expect(proof).toMatchObject({ earlierBase, counts: { decided: 1 }, cut: '' });
        const { predicate } = inTotoStatement(outcome, patch) ?? expect.fail('no statement');
        expect(predicate.base.commit).toBe(github.store.git(['rev-parse', 'main']));
        expect(predicate.verification?.proof?.earlierBase).toBe(earlierBase);
        const [pull] = github.state.pulls.values();
        expect(pull?.body).toContain(
          `measured on the earlier base \`${earlierBase.slice(0, 12)}\``,
        );
      });
    },
  );

  it('is refused where both sides changed the same line', async () => {
    const moved = meanwhile(g => {
      g.store.push('main', { 'src/price.js': price.replace('/ 10)', '/ 12)') });
    });
    await play({ ...moved, movesBase: true }, ({ outcome, patch, github }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'BASE_CONFLICT' });
      expect(outcome.message).toContain('src/price.js');
      expect(patch).toContain('/ 100');
      expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
    });
  });

  it.runIf(playsVariants)('is rolled back when the patch does not pass there', async () => {
    const moved = meanwhile(g => {
      g.store.push('main', { 'src/price.js': price.replace('total >= 5000', 'false') });
    });
    await play(
      { files: testedByNode, ...moved, reapplied: true, movesBase: true },
      ({ outcome, github }) => {
        expect(outcome).toMatchObject({ status: 'rolled_back', code: 'VERIFY_FAILED' });
        expect(outcome.verification?.after?.exitCode).toBe(1);
        expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
      },
    );
  });

  it.runIf(playsVariants)('is refused by setting, though it only went forward', async () => {
    const moved = meanwhile(g => g.store.push('main', { 'new.txt': 'x\n' }));
    const config = { delivery: { baseMoved: 'refuse' } } as const;
    await play({ ...moved, config, movesBase: true }, ({ outcome, github }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'BASE_MOVED' });
      expect(github.state.pulls.size).toBe(0);
    });
  });
});
