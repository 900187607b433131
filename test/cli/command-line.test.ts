import { expect, it } from 'vitest';
import { colourText } from '../../src/cli/command-line.ts';

it('colours by line', () => {
  expect(colourText('error: no\n+ added\nplain')).toBe(
    '\u001b[31m\u001b[1merror:\u001b[22m\u001b[39m no\n\u001b[32m+ added\u001b[39m\nplain',
  );
});
