import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rests } from './resting.ts';
import { root } from './root.ts';

const groups = Array.from({ length: 60 }, (_, i) => `group ${i}`);
const resting = (path: string) => groups.filter(group => rests(path, `${group} > a test`));

let before: string | undefined;
beforeEach(() => {
  before = process.env.PHOTON_TEST_REST;
  process.env.PHOTON_TEST_REST = 'some';
});
afterEach(() => {
  process.env.PHOTON_TEST_REST = before;
});

describe('the tests that rest on a day', () => {
  it.each([
    'test/run/rules.test.ts',
    'test/run/hostile.test.ts',
    'test/run/never-send.test.ts',
    'test/run/credentials.test.ts',
    'test/run/broken-ledger.test.ts',
    'test/run/kill.test.ts',
    'test/github/races.test.ts',
    'test/github/kill-points.test.ts',
    'test/attacks/attacks-1.test.ts',
    'test/sandbox/sandbox.test.ts',
    'test/features/features.test.ts',
    'test/dist.test.ts',
  ])('are none of %s', path => {
    expect(existsSync(join(root, path))).toBe(true);
    expect(resting(path)).toEqual([]);
  });

  it('are none of a unit', () => {
    const units = globSync('test/{guard,tools,agent,settings,model,report}/**/*.test.ts', {
      cwd: root,
    });
    expect(units.length).toBeGreaterThan(50);
    expect(units.filter(path => resting(path).length > 0)).toEqual([]);
  });

  it('are about two groups of three in a file of whole runs, each as a whole', () => {
    const found = resting('test/run/memory.test.ts');
    expect(found.length).toBeGreaterThan(25);
    expect(found.length).toBeLessThan(55);
    const [group = ''] = found;
    expect(rests('test/run/memory.test.ts', `${group} > another test`)).toBe(true);
  });

  it('are all of a file, or none, where the groups go on from each other', () => {
    expect([0, groups.length]).toContain(resting('test/evaluation/eval.test.ts').length);
  });

  it('are none where all are asked for', () => {
    process.env.PHOTON_TEST_REST = 'none';
    expect(resting('test/run/memory.test.ts')).toEqual([]);
  });
});
