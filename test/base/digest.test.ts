/** Data has the same text and the same digest, whatever the order of its keys. */
import { expect, it } from 'vitest';
import { canonicalJson, hashJson } from '../../src/base/digest.ts';

it('canonical JSON has sorted keys at every depth, and lists in their order', () => {
  const text = canonicalJson({ b: [2, { d: 1, c: undefined, a: null }], a: 'x' });
  expect(text).toBe(
    '{\n  "a": "x",\n  "b": [\n    2,\n    {\n      "a": null,\n      "d": 1\n    }\n  ]\n}\n',
  );
});

it('a digest is the same for the same data, and differs for other data', () => {
  expect(hashJson({ a: 1, b: 2 })).toBe(hashJson({ b: 2, a: 1 }));
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
  // sha256 of "{}\n"
  expect(hashJson({})).toBe('ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356');
});
