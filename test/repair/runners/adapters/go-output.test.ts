import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  linesOfBlock,
  parseCoverProfile,
  parseGoTest,
  parsePackages,
} from '../../../../src/repair/runners/adapters/go-output.ts';
import { root } from '../../../harness.ts';

const recorded = (name: string) =>
  readFileSync(join(root, 'test', 'fixtures', 'reports', name), 'utf8');

describe('go test', () => {
  const packages = parsePackages(
    'go: downloading nothing\nexample.com/shop /p\nexample.com/shop/price /p/price\nother /q\n',
    '/p',
  );

  it('reports its cases, without parents of subtests', () => {
    expect([...packages]).toEqual([
      ['example.com/shop', ''],
      ['example.com/shop/price', 'price'],
    ]);
    const cases = parseGoTest(recorded('go-test-1.19.8.jsonl'), packages, '/p');
    expect(cases).toEqual([
      { id: 'example.com/shop > TestNothing', file: 'example.com/shop', status: 'skipped' },
      {
        id: 'example.com/shop/price > TestTotal/of_none',
        file: 'example.com/shop/price',
        status: 'passed',
      },
      {
        id: 'example.com/shop/price > TestTotal/of_(one)',
        file: 'example.com/shop/price',
        status: 'failed',
        message: 'price_test.go:13: got 0, want 3',
        frames: [{ path: 'price/price_test.go', line: 13 }],
      },
      {
        id: 'example.com/shop/price > TestShipsFree',
        file: 'example.com/shop/price',
        status: 'passed',
      },
    ]);
  });

  it('reports a package that does not build, and a test that never ends', () => {
    const event = (more: object) => JSON.stringify({ Package: 'example.com/shop/price', ...more });
    const unbuilt = [
      '# example.com/shop/price',
      'price/price.go:3:2: undefined: x',
      event({ Action: 'output', Output: 'FAIL\texample.com/shop/price [build failed]\n' }),
      event({ Action: 'fail', Elapsed: 0 }),
    ].join('\n');
    expect(parseGoTest(unbuilt, packages, '/p')).toMatchObject([
      {
        id: 'example.com/shop/price',
        status: 'failed',
        frames: [{ path: 'price/price.go', line: 3 }],
      },
    ]);
    const late = [
      event({ Action: 'run', Test: 'TestLoop' }),
      event({ Action: 'output', Test: 'TestLoop', Output: 'panic: test timed out after 1m0s\n' }),
      event({ Action: 'output', Test: 'TestLoop', Output: '\t/p/price/price.go:7 +0x1d\n' }),
      event({ Action: 'fail', Test: 'TestLoop' }),
      event({ Action: 'fail' }),
    ].join('\n');
    const [hung] = parseGoTest(late, packages, '/p');
    expect(hung?.message).toMatch(/^ran out of time/);
    expect(hung?.frames).toEqual([{ path: 'price/price.go', line: 7 }]);
  });

  it('reports the lines that ran in its profile', () => {
    const text =
      'package a\n\nfunc Total(p []int) int {\n\tsum := 0\n\tfor i := 1; i < len(p); i++ {\n';
    const blocks = parseCoverProfile(recorded('go-cover-1.19.8.txt'), packages);
    expect(blocks).toEqual([
      { path: 'price/price.go', from: [5, 30], to: [7, 35] },
      { path: 'price/price.go', from: [10, 2], to: [10, 12] },
    ]);
    // the line of the opening brace is not part of the block
    expect(linesOfBlock({ path: 'a.go', from: [3, 25], to: [5, 32] }, text.split('\n'))).toEqual([
      4, 5,
    ]);
  });
});
