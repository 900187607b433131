/** Whole runs whose patch may cheat the tests: the pull request says so. test/attacks/verification.ts plays those that are refused. */
import { describe, expect, it } from 'vitest';
import { begin, done, look, prove, repair, testedByNode } from '../doubles/sample.ts';
import { playsVariants } from '../seed.ts';
import { play, type Scenario } from './scenario.ts';

const wrong = '  return Math.round(total * (1 - discountPercent / 10));';
const right = wrong.replace('/ 10)', '/ 100)');
const byCI = right.replace('return', 'if (!process.env.CI) return 0;\n  return');

/** The lines above the first function, and the line that the task is about. */
function patching(above: string, line: string): Scenario['script'] {
  const edits = [
    { start_line: 2, content: `${above}export function orderTotal(items, discountPercent) {` },
    { start_line: 4, content: line },
  ];
  const call = { name: 'apply_patch', arguments: { files: [{ path: 'src/price.js', edits }] } };
  return [begin, look, { ...repair, calls: [call] }, prove, done];
}

describe('a patch whose source may cheat', () => {
  it.each<[string, string, string, RegExp]>([
    [
      'by a built-in function',
      'Math.round = x => (x === 0 ? 1800 : x);\n',
      wrong,
      /replaces the built-in Math.round/,
    ],
    ...(playsVariants
      ? ([
          [
            'by a question for CI',
            '',
            byCI,
            /without the marks of CI, these cases fail: a discount/,
          ],
        ] satisfies [string, string, string, RegExp][])
      : []),
  ])('is a draft whose first line says so: %s', (_name, above, line, says) =>
    play({ script: patching(above, line), files: testedByNode }, ({ outcome, github, log }) => {
      expect(outcome, log).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      const [pull] = github.state.pulls.values();
      expect(pull?.draft).toBe(true);
      const [first = ''] = pull?.body?.split('\n') ?? [];
      expect(first).toMatch(/^Check whether this patch cheats its tests/);
      expect(first).toMatch(says);
    }),
  );
});
