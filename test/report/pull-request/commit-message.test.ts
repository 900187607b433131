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
      titleTemplate: '{title} {task} {asked-by}{base}',
      bodyTemplate: '',
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
