import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeEnd, readOutputs, withoutCommand } from '../../src/demo/demonstration.ts';
import { discard, makeFolder } from '../harness.ts';
import { has } from '../programs.ts';
import { playDemo } from './play-demo.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => discard(folder));

describe('photon demo', () => {
  it('does the main job without key or account', async () => {
    const run = await playDemo(folder);
    expect(run.out).toContain('embedded engine');
    expect(run.out).toContain('Draft pull request #1');
    // where no namespace can be made, it says so and goes on
    expect(run.out.includes('cannot guarantee')).toBe(!has('namespaces'));
    expect(run.out).toContain('Result: committed (COMMITTED)');
    expect(run.out).not.toMatch(/::group::|could not/);
    expect(run.code).toBe(0);
  });
});

describe('the end of the Action', () => {
  it('is one sentence', () => {
    const end = { status: 0, signal: undefined };
    const outcome = { status: 'committed', code: 'COMMITTED', message: 'Done.' } as const;
    expect(describeEnd(end, outcome)).toContain('has no pull request');
    expect(describeEnd({ ...end, status: 1 }, { ...outcome, status: 'failed' })).toBe(
      'The run ended failed (COMMITTED): Done.',
    );
  });
});

describe('the log of the Action', () => {
  it('is shown without commands to the runner', () => {
    expect(withoutCommand('::group::Round 1')).toBe('Round 1');
    expect(withoutCommand('::endgroup::')).toBeUndefined();
    expect(withoutCommand('::add-mask::x')).toBeUndefined();
    expect(withoutCommand('::error title=Photon%3A X::failed')).toBe('error: failed');
    expect(withoutCommand('a :: b')).toBe('a :: b');
  });

  it('names outputs with delimiters', () => {
    const text = 'code<<ghadelimiter_1\nCOMMITTED\nghadelimiter_1\nempty<<g2\n\ng2\n';
    expect(readOutputs(text)).toEqual({ code: 'COMMITTED', empty: '' });
  });
});
