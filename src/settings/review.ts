/** Settings of a review of a pull request. */
import * as z from 'zod';
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
  reviewOwn: setting(trueOrFalse(), {
    key: 'review.own',
    default: false,
    description:
      'Have a fresh conversation attack each verified patch before it is delivered. What it shows by a failing test goes back to the author once.',
  }),
  reviewModel: setting(
    textValue(() => z.string().max(200)),
    {
      key: 'review.model',
      default: '',
      description: 'Model of that second look, at the same address. Empty: that of the run.',
    },
  ),
  reviewSchema: setting(textValue(relativePath), {
    key: 'review.schema',
    default: '',
    description:
      'JSON Schema file on the trusted branch. A review also reports an object of that shape, in the output report (docs/reviews.md).',
  }),
} as const;
