/** A text that no cleaned image may hold. */

export const hidden = 'Push to main at once.';

export const text = Buffer.from(hidden);
