/** Schemas of text that several settings share. */
import * as z from 'zod';

/** A path or pattern that stays inside the repository. */
export const relativePath = () =>
  z
    .string()
    .min(1)
    .refine(
      p => !p.startsWith('/') && !p.split('/').includes('..'),
      'must stay inside the repository',
    );
