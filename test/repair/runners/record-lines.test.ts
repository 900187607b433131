/** The lines that a whole run runs, where each candidate takes a process: by V8, and by the coverage of vitest. */
import { expect, it } from 'vitest';
import { stagesFor } from '../../../src/repair/search/search.ts';
import { linkPackages } from '../../doubles/installed.ts';
import { withAdapter } from '../../doubles/runner-context.ts';
import { root } from '../../root.ts';
import { playsVariants } from '../../seed.ts';

const source = [
  'export function label(sum) {',
  '  if (sum > 5) {',
  "    return 'much';",
  '  }',
  "  return 'sum ' + sum;",
  '}',
  '',
];
const typed = source.join('\n').replace('(sum)', '(sum: number)');
const ran = [1, 2, 5];

const spec = (imports: string) => `${imports}
import { label } from '../src/label.js';
import { label as other } from '../src/typed.ts';
it('labels', () => {
  if (label(1) !== 'sum 1' || other(1) !== 'sum 1') throw new Error('no');
});
`;

it.each([
  ['vitest', 'npx vitest run', "import { it } from 'vitest';"],
  ...(playsVariants ? [['a shell command', 'npx mocha test --reporter tap; true', '']] : []),
])(
  '%s tells the lines that it runs, in JavaScript and TypeScript',
  async (_, testCommand = '', imports = '') => {
    const files = {
      'package.json': '{"type":"module"}',
      'src/label.js': source.join('\n'),
      'src/typed.ts': typed,
      'src/unused.js': 'export const unused = 1;\n',
      'test/label.test.js': spec(imports),
    };
    await withAdapter({ testCommand, files, cloned: linkPackages(root) }, async adapter => {
      expect(adapter.coverage).toEqual([]);
      const runner = await adapter.open();
      const stages = stagesFor(adapter.base);
      const found = await runner.run({ files: {}, stages, bail: false, coverage: true });
      const again = await runner.run({ files: {}, stages, bail: false, coverage: false });
      runner.close();
      expect(found.coverage).toMatchObject([
        { id: undefined, files: { 'src/label.js': ran, 'src/typed.ts': ran } },
      ]);
      expect(found.coverage[0]?.files).not.toHaveProperty('src/unused.js');
      expect(again).toMatchObject({ ended: 'done', coverage: [] });
    });
  },
  600_000,
);
