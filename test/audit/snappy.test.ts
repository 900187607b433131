import { expect, it } from 'vitest';
import { readSnappy } from '../../src/audit/snappy.ts';
import { packSnappy } from '../doubles/snappy.ts';

const bytes = (...parts: (number | string | Buffer)[]) =>
  Buffer.concat(parts.map(p => (typeof p === 'number' ? Buffer.from([p]) : Buffer.from(p))));
const read = (packed: Buffer, max = 100_000) => readSnappy(packed, max)?.toString('latin1');

it('a block holds literals and copies of one, two and four bytes of offset', () => {
  const packed = bytes(10, 0x04, 'ab', 0x01, 2, 0x0a, 1, 0, 0x03, 9, 0, 0, 0);
  expect(read(packed)).toBe('abababbbba');
});

it.each([60, 61, 256, 257, 70_000])('a literal has %d bytes', size => {
  const text = 'x'.repeat(size);
  expect(read(packSnappy(Buffer.from(text)))).toBe(text);
});

it.each([
  ['nothing', bytes()],
  ['a length that never ends', bytes(0xff, 0xff, 0xff, 0xff, 0xff, 0xff)],
  ['a literal that is cut', bytes(3, 0x08, 'ab')],
  ['a copy from before the start', bytes(6, 0x04, 'ab', 0x01, 3)],
  ['a copy of nothing', bytes(6, 0x04, 'ab', 0x01, 0)],
  ['more than it says', bytes(2, 0x08, 'abc')],
  ['less than it says', bytes(4, 0x08, 'abc')],
  ['an offset that is cut', bytes(6, 0x04, 'ab', 0x0a, 1)],
  ['JSON', Buffer.from('{"mediaType":"application/json"}')],
])('%s is no block', (_is, packed) => expect(read(packed)).toBeUndefined());

it('a block that unpacks to more than the bound is not unpacked', () => {
  expect(read(bytes(0xff, 0xff, 0xff, 0xff, 0x0f, 0x04, 'ab'))).toBeUndefined();
  expect(read(bytes(2, 0x04, 'ab'), 1)).toBeUndefined();
});
