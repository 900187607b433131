/** find_definition names the place of a symbol, and proves that a name is not there. */
import { expect, it } from 'vitest';
import { playCalls } from './play.ts';

it('find_definition names the line of a symbol, and misses an unknown one', async () => {
  const files = { 'a.js': 'const x = 1;\nfunction orderTotal() {\n  return x;\n}\n' };
  const { texts } = await playCalls({ files }, [
    ['find_definition', { symbol: 'orderTotal' }],
    ['find_definition', { symbol: 'nowhere' }],
    ['find_definition', { symbol: 'a\nb' }],
  ]);
  expect(texts[0]).toMatch(/a\.js.*2.*orderTotal/s);
  expect(texts[1]).toMatch(/nowhere was not found\.$/);
  expect(texts[2]).toContain('/symbol: must be one line');
});
