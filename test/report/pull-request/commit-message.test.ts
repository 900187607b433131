/** Titles and commit messages close and ping nothing. */
import { describe, expect, it } from 'vitest';
import {
  renderCommitMessage,
  renderPullRequest,
} from '../../../src/report/pull-request/pull-request.ts';
import { hostile, outcome, silent, task, unseenIn } from '../hostile-outcomes.ts';

describe('untrusted text', () => {
  it.each(hostile)('%j closes and pings nothing in a title or commit message', input => {
    const { title } = renderPullRequest(task(input), outcome(input), {
      ...silent,
      titleTemplate: '{title} {task}',
    });
    const message = renderCommitMessage(task(input), outcome(input));
    for (const text of [title, ...message.split('\n')]) {
      expect(unseenIn(text)).toEqual([]);
      expect(text).not.toMatch(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[: ]+\S*(?:#|GH-)\d/i);
      expect(text).not.toMatch(/(?:^|\W)@\w|:\/\/|[\r\u2028\u2029\u0000-\u0008]/);
    }
    expect([...message.matchAll(/^(?:Co-authored-by|Signed-off-by): /gm)]).toEqual([]);
  });
});

describe('a repair that nobody put into words', () => {
  const asked = 'A workflow of this repository failed on this commit.';
  const red = { ...task(asked), trigger: 'failed-workflow' } as const;
  const headBranch = { number: 3, ref: 'feature', sha: 'a'.repeat(40), base: 'main' };
  const done = { ...outcome('x'), engine: 'openai', repair: undefined } as const;
  const titleOf = (more: object) => {
    const { title } = { title: undefined, ...red };
    return renderCommitMessage({ ...red, title, ...more }, { ...done, ...more }).split('\n')[0];
  };

  it('has the title of what it changed', () => {
    expect(titleOf({ summary: 'Divide the discount by 100, not 10.' })).toBe(
      'Divide the discount by 100, not 10.',
    );
  });

  it('has the title of the merge that it is', () => {
    const base = { ...done.base, merged: 'b'.repeat(40) };
    expect(titleOf({ headBranch, base })).toBe("Merge branch 'main' into feature");
  });
});
