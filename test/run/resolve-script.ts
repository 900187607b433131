/** A model that resolves a conflict in the price of the sample. */
import { done, prove, type repairScript } from '../doubles/sample.ts';

/** Puts a line in place of the conflict. */
export const resolve = (
  content: string,
  end_line: number,
  path = 'src/price.js',
): (typeof repairScript)[number] => ({
  text: `Both sides changed these lines, so they become what both mean. Now: ${content.trim()}`,
  calls: [
    {
      name: 'apply_patch',
      arguments: {
        files: [{ path, edits: [{ start_line: 9, end_line, content }] }],
      },
    },
  ],
});

/** Drops what the base meant, which the tests refuse, and then keeps both. */
export const resolveScript: typeof repairScript = [
  {
    text: 'The base was merged, and its conflict in shipsFree has to be resolved.',
    calls: [
      { name: 'skill_activate', arguments: { skill_name: 'test-repair' } },
      {
        name: 'plan',
        arguments: {
          entry_symbols: ['shipsFree'],
          affected_files: ['src/price.js'],
          scope: 'resolve the conflict',
          max_changed_lines: 12,
        },
      },
    ],
  },
  {
    text: 'Both sides changed the same line, so I read the conflict with its marks.',
    calls: [
      {
        name: 'read_code_block',
        arguments: { requests: [{ file_path: 'src/price.js', start_line: 8, end_line: 16 }] },
      },
    ],
  },
  resolve('  return total > 6000;', 15),
  prove,
  resolve('  return Math.round(total) > 4999;', 9),
  prove,
  done,
];
