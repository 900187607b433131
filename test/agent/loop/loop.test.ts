import { describe, expect, it } from 'vitest';
import { mergeReads } from '../../../src/agent/loop/loop.ts';

const call = (id: string, name: string, args: object | string) => ({
  id,
  name,
  argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
});
const read = (id: string, file_path: string) =>
  call(id, 'read_code_block', { requests: [{ file_path, start_line: 1, end_line: 2 }] });

/** Each call that is made, as the ids that it answers and the files that it reads. */
const made = (...calls: Parameters<typeof mergeReads>[0]) =>
  mergeReads(calls).map(({ call: { id, argumentsText }, answers }) => [
    id,
    answers.map(a => a.id).join(),
    [...argumentsText.matchAll(/"file_path":"([^"]+)"/g)].map(([, path]) => path).join(),
  ]);

describe('reads of one reply', () => {
  it('with invalid arguments stay alone, so that only they are refused', () => {
    const broken = call('b', 'read_code_block', '{"requests": ');
    expect(made(read('a', 'x.ts'), broken, read('c', 'z.ts')).map(([id]) => id)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});
