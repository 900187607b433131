/** The texts that a run posts on GitHub. */
import { renderComment, renderProgress } from './comment/comment.ts';
import { dashboardText } from './comment/dashboard.ts';
import { reviewText } from './comment/review.ts';
import { deliveryText } from './pull-request/delivery-text.ts';

export const hostTexts = {
  delivery: deliveryText,
  review: reviewText,
  dashboard: dashboardText,
  progress: renderProgress,
  comment: renderComment,
};
