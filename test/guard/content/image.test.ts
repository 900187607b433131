import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkImage, imageBounds } from '../../../src/guard/content/image.ts';
import { type ImageFields, jpeg, png } from '../../doubles/images.ts';
import { seed } from '../../seed.ts';

it('another type of file is refused, whatever its name says', () => {
  for (const text of ['GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF....WEBP', ''])
    expect(checkImage(Buffer.from(text))).toEqual({ problem: 'it is no PNG or JPEG' });
  expect(checkImage(Buffer.alloc(imageBounds.bytes + 1))).toMatchObject({
    problem: expect.stringContaining('larger'),
  });
});

describe.each([
  ['PNG', png, 'image/png'],
  ['JPEG', jpeg, 'image/jpeg'],
] as const)('%s', (_name, make: (fields?: ImageFields) => Buffer, mediaType) => {
  it('is taken as it is, with its type and size', () => {
    const bytes = make({ width: 30, height: 20 });
    expect(checkImage(bytes)).toEqual({ mediaType, bytes, width: 30, height: 20 });
  });

  it.each([
    [{ width: imageBounds.side + 1 }, 'pixels'],
    [{ width: 6_000, height: 6_000 }, 'pixels'],
    [{ width: 0 }, 'pixels'],
  ])('with %j is refused', (fields, why) => {
    expect(checkImage(make(fields))).toMatchObject({ problem: expect.stringContaining(why) });
  });

  it('that ends before its size is refused', () => {
    for (let length = 0; length < 20; length++)
      expect(checkImage(make().subarray(0, length)), `${length} bytes`).toHaveProperty('problem');
  });

  it('of any bytes behind its first ones never fails', () => {
    const start = make().subarray(0, 2);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), rest => {
        checkImage(Buffer.concat([start, rest]));
      }),
      { seed, numRuns: 500 },
    );
  });
});

it('the size of a JPEG is found behind fill bytes, and in a progressive frame', () => {
  const whole = jpeg({ width: 30, height: 20 });
  const frame = whole.indexOf(Buffer.from([0xff, 0xc0]));
  const [before, after] = [whole.subarray(0, frame), whole.subarray(frame + 2)];
  const progressive = Buffer.concat([before, Buffer.from([0xff, 0xff, 0xff, 0xc2]), after]);
  expect(checkImage(progressive)).toMatchObject({ width: 30, height: 20 });
});
