/** Suggestions on lines of a pull request, where text of the patch stays text. */
import { describe, expect, it } from 'vitest';
import { renderSuggestions } from '../../../src/report/pull-request/delivery-text.ts';
import { outcome, suggested, task } from '../hostile-outcomes.ts';

describe('an edit as a suggestion of a review', () => {
  it('a suggestion is the very lines, in a fence that they cannot close', () => {
    const input = '``` @octocat\n````\n<img src=x>';
    const { comments } = renderSuggestions(task('x'), outcome('x'), {
      changes: suggested(input),
      shown: new Map([['a.txt', [[1, 3]]]]),
    });
    expect(comments).toEqual([
      {
        path: 'a.txt',
        start: 2,
        end: 2,
        body: `\`\`\`\`\`suggestion\n${input}\n\`\`\`\`\``,
      },
    ]);
  });

  it('an edit that hides text is no suggestion', () => {
    const { comments, body } = renderSuggestions(task('x'), outcome('x'), {
      changes: suggested('a\u202eb'),
      shown: new Map([['a.txt', [[1, 3]]]]),
    });
    expect(comments).toEqual([]);
    expect(body).not.toContain('\u202e');
  });
});
