/** Tasks on refs that are no ordinary branch, and files with odd names. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../doubles/model.ts';
import { repairScript } from '../doubles/sample.ts';
import { sample } from '../seed.ts';
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

  it.each(sample('odd names of a read', ['a\tb.txt', 'a\nb.txt'], 1))(
    '%j: a look at it is refused, and the run goes on',
    async name => {
      const path = `docs/${name}`;
      const [first, ...rest] = repairScript;
      const script: ScriptedTurn[] = [
        ...(first === undefined ? [] : [first]),
        {
          text: 'The other file may say what the discount is.',
          calls: [
            {
              name: 'read_code_block',
              arguments: { requests: [{ file_path: path, start_line: 1, end_line: 1 }] },
            },
          ],
        },
        ...rest,
      ];
      await play({ script, files: { [path]: 'x\n' } }, ({ outcome }) => {
        expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
        expect(outcome.decisions).toContainEqual(
          expect.objectContaining({ code: 'PATH_ESCAPE', severity: 'correct' }),
        );
      });
    },
  );
});
