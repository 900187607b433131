/** Settings of a review of a pull request. */
import { setting, trueOrFalse, wholeNumber } from './setting.ts';

export const reviewSettings = {
  reviewFindings: setting(wholeNumber(1, 30), {
    input: 'review-findings',
    key: 'review.findings',
    default: 5,
    githubOnly: true,
    description: 'Maximum number of findings of a review. The most severe ones are kept.',
  }),
  reviewOpinions: setting(trueOrFalse(), {
    input: 'review-opinions',
    key: 'review.opinions',
    default: false,
    githubOnly: true,
    description: 'Show findings of a review that are not proven. They are marked as opinions.',
  }),
} as const;
