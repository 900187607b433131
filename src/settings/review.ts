/** Settings of a review of a pull request. */
import { relativePath, setting, textValue, trueOrFalse, wholeNumber } from './setting.ts';

export const reviewSettings = {
  reviewFindings: setting(wholeNumber(1, 30), {
    key: 'review.findings',
    default: 5,
    description: 'Maximum number of findings of a review. The most severe ones are kept.',
  }),
  reviewOpinions: setting(trueOrFalse(), {
    key: 'review.opinions',
    default: false,
    description: 'Show findings of a review that are not proven. They are marked as opinions.',
  }),
  reviewSchema: setting(textValue(relativePath), {
    key: 'review.schema',
    default: '',
    description:
      'JSON Schema file on the trusted branch. A review also reports an object of that shape, in the output report (docs/reviews.md).',
  }),
} as const;
