/** A run that ends with findings about a pull request. */
import { isSuccess } from '../../base/outcome.ts';
import type { RunKind } from '../stages.ts';
import { looking, withoutRecording } from './looking.ts';
import { openReviewCollector } from './review-collector.ts';
import { settleReview } from './settle-review.ts';

export const review: RunKind = {
  ...looking,
  name: 'review',
  // without a test command, less is proven
  tests: 'optional',
  tools: withoutRecording,
  instructions: 'review_only',
  openBook: ({ task, policy, reviewBase }, { session, verifier }) =>
    openReviewCollector({
      review: task.review ?? { number: 0, lines: [] },
      session,
      verifier,
      base: reviewBase ?? (async () => undefined),
      maxFindings: policy.settings.reviewFindings,
      showsOpinions: policy.settings.reviewOpinions,
      schema: policy.reviewSchema,
    }),
  settle: async (run, ending) =>
    isSuccess(ending.status) || ending.status === 'abstained' ? settleReview(run, ending) : ending,
};
