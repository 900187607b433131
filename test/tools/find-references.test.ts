/** find_references names each use of a symbol with its line. */
import { expect, it } from 'vitest';
import { playCalls } from './play.ts';

it('find_references shows the text of each use', async () => {
  const files = {
    'a.js': 'export function orderTotal() {\n  return 1;\n}\n',
    'b.js': "import { orderTotal } from './a.js';\nconsole.log(orderTotal());\n",
  };
  const { texts } = await playCalls({ files }, [['find_references', { symbol: 'orderTotal' }]]);
  expect(texts[0]).toContain('console.log(orderTotal());');
  expect(texts[0]).toContain('b.js');
});
