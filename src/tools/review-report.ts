/** review_report: gives the object that `review-schema` asks for. Only a review with a schema offers it. */
import * as z from 'zod';
import { defineTool } from './tool.ts';

/** Maximum characters of the object as JSON. */
const maxChars = 100_000;

export const reviewReport = defineTool({
  name: 'review_report',
  needs: 'report',
  description: 'Give the object of the JSON schema in the task. Call it once, before finish.',
  core: true,
  step: null,
  schema: () => z.strictObject({ report: z.record(z.string(), z.unknown()) }),
  claims: () => [],
  problems: async ({ report }, context) => {
    const text = JSON.stringify(report);
    if (text.length > maxChars) return [`/report: longer than ${maxChars} characters`];
    if (context.holdsSecret(text)) return ['/report: holds a secret'];
    return context.findings?.reportProblems(report) ?? [];
  },
  run: async ({ report }, context) => {
    context.findings?.keepReport(report);
    return { text: 'The report has the shape that was asked for.', paths: [] };
  },
});
