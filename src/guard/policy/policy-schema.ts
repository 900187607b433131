/** Validates a constitution from a ledger: an audit must not trust the file. */
import * as z from 'zod';
import { type Constitution, given, ruleCodes } from './constitution.ts';
import { classSchema, limitsSchema, readsSchema } from './parse-constitution.ts';

export const policySchema: z.ZodType<Constitution> = z.strictObject({
  version: z.string(),
  // a limit that is newer than the ledger bounded nothing there
  limits: limitsSchema.extend({ active_skills: z.int().min(0).default(1_000_000) }),
  // earlier runs knew the letter alone
  reads: readsSchema.default('strict'),
  // a rule that is newer than the ledger judged nothing there
  rules: z
    .partialRecord(z.enum(ruleCodes), classSchema)
    .transform(rules => rules as Constitution['rules']),
  protectedPaths: z.array(z.string()),
  flaggedPaths: z.array(z.string()),
  prose: z.string(),
  folders: z.array(
    z
      .strictObject({
        folder: z.string(),
        limits: limitsSchema.partial(),
        reads: readsSchema.optional(),
        rules: z.partialRecord(z.enum(ruleCodes), classSchema),
        protectedPaths: z.array(z.string()),
        flaggedPaths: z.array(z.string()),
        prose: z.string(),
      })
      .transform(f => ({ ...f, limits: given(f.limits), rules: given(f.rules) })),
  ),
});
