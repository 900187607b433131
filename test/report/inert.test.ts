/** Comments and pull requests are inert, whatever a text says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderComment } from '../../src/report/comment/comment.ts';
import { renderPullRequest } from '../../src/report/pull-request/pull-request.ts';
import { isAll } from '../seed.ts';
import { evil, outcome, task, untrusted } from './hostile.ts';
import { expectInert } from './rendered.ts';

describe('what Photon posts', () => {
  it.each(evil.map(e => [e.slice(0, 40), e]))('is inert with %j in every place', (_name, input) => {
    for (const status of [
      'failed',
      'rolled_back',
      'abstained',
      'needs_clarification',
      'no_change',
      'answered',
    ] as const)
      expectInert(renderComment(outcome(input, status)));
    const pull = renderPullRequest(task(input), outcome(input));
    expectInert(pull.body);
    expect(pull.title).not.toMatch(/[\n@][a-z]/);
    expect(Buffer.byteLength(pull.title)).toBeLessThanOrEqual(256);
  });

  it('is inert with generated texts, rendered as GitHub renders', () => {
    fc.assert(
      fc.property(untrusted, input => {
        expectInert(renderComment(outcome(input, 'rolled_back')));
        expectInert(renderComment(outcome(input, 'answered')));
        expectInert(renderPullRequest(task(input), outcome(input)).body);
      }),
      { numRuns: isAll ? 300 : 30 },
    );
  });
});
