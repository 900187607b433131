/** Settings of a review of a pull request. */
import { relativePath } from './paths.ts';
import { setting, textValue, trueOrFalse, wholeNumber } from './setting.ts';

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
  reviewSchema: setting(textValue(relativePath, 'file'), {
    input: 'review-schema',
    key: 'review.schema',
    default: '',
    githubOnly: true,
    description:
      'JSON Schema file on the trusted branch. A review also reports an object of that shape, in the output review-report (docs/reviews.md).',
  }),
} as const;
