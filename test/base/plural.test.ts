/** A count and its noun agree. */
import { expect, it } from 'vitest';
import { plural } from '../../src/base/plural.ts';

it.each([
  [plural(1, 'file'), '1 file'],
  [plural(0, 'file'), '0 files'],
  [plural(2, 'entry', 'entries'), '2 entries'],
  [plural(1, 'entry', 'entries'), '1 entry'],
])('%s', (text, expected) => expect(text).toBe(expected));
