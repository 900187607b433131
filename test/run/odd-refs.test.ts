/** Tasks on refs that are no ordinary branch, and files with odd names. */
import { describe, expect, it } from 'vitest';
import { repairScript } from '../doubles/sample.ts';
import { play } from './scenario.ts';

const queue = 'gh-readonly-queue/main/pr-7-0123456789abcdef0123456789abcdef01234567';

describe('a task on the branch of a merge queue', () => {
  const onQueue = {
    script: repairScript,
    event: { name: 'merge_group', payload: { merge_group: { base_ref: 'refs/heads/main' } } },
    ref: `refs/heads/${queue}`,
  };

  it('is refused before the model is asked, and nothing is opened', async () => {
    await play(onQueue, ({ outcome, model, github }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'BASE_TEMPORARY' });
      expect(outcome.message).toContain(queue);
      expect(model.requests).toEqual([]);
      expect(github.writes()).toEqual([]);
    });
  });
});

describe('files with odd names', () => {
  it('do not end the run: a tab, a newline, quotes, control characters, a backslash', async () => {
    const names = ['a\tb', 'a\nb', `a"b'c`, 'a\u0001\u001b[2Jb', 'a\\b'];
    const files = Object.fromEntries(names.map(name => [`docs/${name}.txt`, 'x\n']));
    await play({ script: repairScript, files }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
    });
  });
});
