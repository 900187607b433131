/** Every Markdown text that Photon posts is inert, with hostile text in every place. */
import { describe, expect, it } from 'vitest';
import type { ReviewFinding } from '../../src/base/findings.ts';
import { renderComment } from '../../src/report/comment/comment.ts';
import { reviewText } from '../../src/report/comment/review.ts';
import { renderSummary } from '../../src/report/comment/summary.ts';
import { renderSuggestions } from '../../src/report/pull-request/delivery-text.ts';
import { renderPullRequest } from '../../src/report/pull-request/pull-request.ts';
import { hostile, outcome, silent, suggested, task, unseenIn } from './hostile-outcomes.ts';
import { active, recordsMark } from './rendered.ts';

/** What a reader's browser gets outside of code, attributes of Photon's own links left out. */
const live = (markdown: string) =>
  active(markdown).replace(/<a href="https:\/\/github\.example\/o\/r\/actions\/runs\/1">/g, '');

/** Every Markdown text that Photon posts, with this text in every place. */
function sinks(input: string): Record<string, string> {
  const [asked, end] = [task(input), outcome(input)];
  const own = { ...silent, titleTemplate: '' };
  const changes = suggested(input);
  const shown = new Map([['a.txt', [[1, 3]] as const]]);
  const review = renderSuggestions(asked, end, { changes, shown });
  const answered = { ...end, status: 'answered', answer: input } as const;
  const finding = { severity: 'high', problem: input, proof: null } as ReviewFinding;
  return {
    comment: renderComment(end),
    answer: renderComment(answered),
    finding: reviewText.finding(finding),
    summary: renderSummary([{ outcome: end, diff: input }]),
    'pull request': renderPullRequest(asked, end, own).body,
    review: review.body,
    'review as a patch': renderSuggestions(asked, end, { changes, shown: new Map() }).body,
    ...Object.fromEntries(review.comments.map((c, i) => [`suggestion ${i}`, c.body])),
  };
}

const ownMarks = [
  '<!-- photon:end=VERIFY_FAILED -->',
  '<!-- photon:task=fix-5-12345678 -->',
  recordsMark,
];

describe('untrusted text', () => {
  it.each(hostile)('%j is inert in every place', (input, alive) => {
    for (const [sink, text] of Object.entries(sinks(input))) {
      const seen = live(text);
      expect(seen, sink).not.toMatch(alive);
      expect(seen, sink).not.toMatch(/<(?:img|script|iframe|input|style|svg|form|object)\b/i);
      expect(seen, sink).not.toMatch(/(?<![\w&])@[a-z]/i);
      // mathematics begins with it, but in code and in a tag of its own
      expect(seen.replaceAll('<span>$</span>', ''), sink).not.toContain('$');
      // a summary is no comment, and other bots do not read it
      if (sink !== 'summary') expect(text, sink).not.toMatch(/^[ \t>]*\/[a-z][\w-]*(?:\s|$)/im);
      // what is hidden from a reader is Photon's own mark alone
      const hidden = seen.match(/<!--[\s\S]*?(?:-->|$)/g) ?? [];
      expect(
        hidden.filter(h => !ownMarks.includes(h)),
        sink,
      ).toEqual([]);
      expect(text.length, sink).toBeLessThan(65_536);
      // what is copied from it is what is seen; only a suggestion and a diff are the very characters of a file
      if (!/^suggestion|as a patch|^summary/.test(sink)) expect(unseenIn(text), sink).toEqual([]);
    }
  });
});
