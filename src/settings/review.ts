/** Settings of a review of a pull request. */
import { githubSetting, relativePath, textValue, trueOrFalse, wholeNumber } from './setting.ts';

export const reviewSettings = {
  reviewFindings: githubSetting(wholeNumber(1, 30), {
    input: 'review-findings',
    key: 'review.findings',
    default: 5,
    description: 'Maximum number of findings of a review. The most severe ones are kept.',
  }),
  reviewOpinions: githubSetting(trueOrFalse(), {
    input: 'review-opinions',
    key: 'review.opinions',
    default: false,
    description: 'Show findings of a review that are not proven. They are marked as opinions.',
  }),
  reviewSchema: githubSetting(textValue(relativePath, 'file'), {
    input: 'review-schema',
    key: 'review.schema',
    default: '',
    description:
      'JSON Schema file on the trusted branch. A review also reports an object of that shape, in the output review-report (docs/reviews.md).',
  }),
} as const;
