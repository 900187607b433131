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
    const parsed = parseReport(report);
    if ('why' in parsed) return [`/report: no JSON: ${parsed.why}`];
    return (await context.report?.problems(parsed.value)) ?? [];
  },
  run: async ({ report }, context) => {
    context.report?.keep(JSON.parse(report));
    return { text: 'The report has the shape that was asked for.', paths: [] };
  },
});

function parseReport(text: string): { readonly value: unknown } | { readonly why: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { why: (error as Error).message };
  }
}
