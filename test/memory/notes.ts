/** A note, and what becomes of it. */
import { adding, only, recordsAfter } from './making.ts';

export const note = only(recordsAfter([adding('The cache key holds the locale.')]));
