/** The texts that a run posts on GitHub. */
import { renderComment } from './comment.ts';
import { dashboardText } from './dashboard.ts';
import { deliveryText } from './delivery-text.ts';
import { renderProgress } from './progress.ts';
import { reviewText } from './review.ts';

/** The texts, each made when it is posted. */
export const hostTexts = {
  delivery: deliveryText,
  review: reviewText,
  dashboard: dashboardText,
  progress: renderProgress,
  comment: renderComment,
};
