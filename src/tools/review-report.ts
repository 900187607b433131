/** review_report: gives the object that `review.schema` or `output-schema` asks for. Only a run with one offers it. */
import * as z from 'zod';
import { defineTool } from './tool.ts';

/** Maximum characters of the object as JSON. */
const maxChars = 100_000;

export const reviewReport = defineTool({
  name: 'review_report',
  needs: 'report',
  description: 'Give the object of the JSON schema in the task. Call it once, before finish.',
  core: true,
  step: undefined,
  schema: z.strictObject({ report: z.string().min(2).max(maxChars).describe('JSON') }),
  claims: () => [{ kind: 'note' }],
  problems: async ({ report }, context) => {
    if (context.holdsSecret(report)) return ['/report: holds a secret'];
    try {
      return context.report?.problems(JSON.parse(report)) ?? [];
    } catch (error) {
      return [`/report: no JSON: ${(error as Error).message}`];
    }
  },
  run: async ({ report }, context) => {
    context.report?.keep(JSON.parse(report));
    return { text: 'The report has the shape that was asked for.', paths: [] };
  },
});
