import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanImage, imageBounds } from '../../../src/guard/content/image.ts';
import { type ImageFields, jpeg, png } from '../../doubles/images.ts';
import { seed } from '../../seed.ts';
import { hidden } from './images.ts';

it('another type of file is refused, whatever its name says', () => {
  for (const text of ['GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF....WEBP', ''])
    expect(cleanImage(Buffer.from(text))).toMatchObject({ problem: 'it is no whole PNG or JPEG' });
  expect(cleanImage(Buffer.alloc(imageBounds.bytes + 1))).toMatchObject({
    problem: expect.stringContaining('larger'),
  });
});

describe.each([
  ['PNG', png, 'image/png'],
  ['JPEG', jpeg, 'image/jpeg'],
] as const)('%s', (_name, make: (fields?: ImageFields) => Buffer, mediaType) => {
  it('is kept without its metadata and what follows its end', () => {
    const found = cleanImage(make({ width: 30, height: 20, hidden }));
    expect(found).toMatchObject({ mediaType, width: 30, height: 20 });
    if ('problem' in found) return;
    expect(Buffer.from(found.bytes).includes(hidden)).toBe(false);
    // what is left is the same as for an image that never had them, and stays as it is
    expect(cleanImage(make({ width: 30, height: 20 }))).toEqual(found);
    expect(cleanImage(found.bytes)).toEqual(found);
  });

  it.each([
    [{ width: imageBounds.side + 1 }, 'pixels'],
    [{ width: 6_000, height: 6_000 }, 'pixels'],
    [{ width: 0 }, 'pixels'],
  ])('with %j is refused', (fields, why) => {
    expect(cleanImage(make(fields))).toMatchObject({ problem: expect.stringContaining(why) });
  });

  it('that is cut off anywhere is refused', () => {
    const whole = make();
    for (let length = 0; length < whole.length; length++)
      expect(cleanImage(whole.subarray(0, length)), `${length} bytes`).toHaveProperty('problem');
  });

  it('with any byte changed neither fails nor grows', () => {
    const whole = make({ hidden });
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), changes => {
        const data = Buffer.from(whole);
        for (const [at, byte] of changes) data[at] = byte;
        const found = cleanImage(data);
        return 'problem' in found || found.bytes.length <= data.length;
      }),
      { seed, numRuns: 500 },
    );
  });
});
