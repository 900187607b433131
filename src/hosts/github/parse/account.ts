/** The account in a payload, which is null after it was deleted. */

import * as z from 'zod';
import { once } from '../../../base/once.ts';
import type { Author } from '../api/github.ts';

/** Whom GitHub shows in place of a deleted account. It may write nowhere. */
const ghost: Author = { login: 'ghost', id: 10_137, type: 'User' };

/** An account; for null or nothing, GitHub's `ghost`. */
export const accountSchema = once(() =>
  z
    .object({ login: z.string(), id: z.number(), type: z.string() })
    .nullish()
    .transform((user): Author => user ?? ghost),
);
