import { describe, expect, it } from 'vitest';
import { parseCommit, renderCommit } from '../../src/workflows/commit-text.ts';
import type { TaskEnd } from '../../src/workflows/state.ts';

describe('the commit of a task', () => {
  it.each(['COMPLETED', 'FAILED', 'NEEDS_REVIEW'] as const)('tells that it is %s', status => {
    const end: TaskEnd = { status, run: 'r-1', code: 'PATCH_WRITTEN' };
    const of = { workflow: 'w', task: 'a' };
    expect(parseCommit(renderCommit(of, end), of)).toEqual(end);
    expect(parseCommit(renderCommit(of, end), { workflow: 'w', task: 'b' })).toBe(undefined);
    expect(parseCommit(renderCommit(of, end), { workflow: 'v', task: 'a' })).toBe(undefined);
  });
});
