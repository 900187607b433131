/** A model that resolves a conflict in the price of the sample. */
import { done, prove, type repairScript } from '../doubles/sample.ts';
import { activate, call, planOf, readLines, turnOf } from '../doubles/steps.ts';

/** Puts a line in place of the conflict. */
export const resolve = (
  content: string,
  end_line: number,
  path = 'src/price.js',
): (typeof repairScript)[number] =>
  turnOf(
    `Both sides changed these lines, so they become what both mean. Now: ${content.trim()}`,
    call('apply_patch', {
      files: [{ path, edits: [{ start_line: 9, end_line, content }] }],
    }),
  );

/** Drops what the base meant, which the tests refuse, and then keeps both. */
export const resolveScript: typeof repairScript = [
  turnOf(
    'The base was merged, and its conflict in shipsFree has to be resolved.',
    activate('test-repair'),
    planOf(['src/price.js'], 12, 'shipsFree'),
  ),
  turnOf(
    'Both sides changed the same line, so I read the conflict with its marks.',
    readLines('src/price.js', 8, 16),
  ),
  resolve('  return total > 6000;', 15),
  prove,
  resolve('  return Math.round(total) > 4999;', 9),
  prove,
  done,
];
