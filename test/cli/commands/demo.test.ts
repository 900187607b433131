import { describe, expect, it } from 'vitest';
import { withoutCommand } from '../../demo.ts';
import { has } from '../../programs.ts';
import { photon, useClone } from '../clone.ts';

useClone();

describe('photon demo', () => {
  it('does the main job without key or account', async () => {
    const run = await photon(['demo']);
    expect(run.stdout).toContain('embedded engine');
    expect(run.stdout).toContain('The pull request: #1');
    // where no namespace can be made, it says so and goes on
    expect(run.stdout.includes('cannot guarantee')).toBe(!has('namespaces'));
    expect(run.stdout).toContain('committed (COMMITTED)');
    expect(run.code).toBe(0);
  });
});

describe('the demonstration', () => {
  it('shows no commands to the runner', () => {
    expect(withoutCommand('::group::Round 1')).toBe('Round 1');
    expect(withoutCommand('::endgroup::')).toBeUndefined();
    expect(withoutCommand('::add-mask::x')).toBeUndefined();
    expect(withoutCommand('::error title=Photon%3A X::failed')).toBe('error: failed');
    expect(withoutCommand('a :: b')).toBe('a :: b');
  });
});
