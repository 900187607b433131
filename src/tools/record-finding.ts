/** record_finding: records a problem on lines of the diff, with a test that shows it. Only a review offers it. */
import * as z from 'zod';
import { findingSeverities } from '../base/findings.ts';
import { defineTool } from './tool.ts';

export const recordFinding = defineTool({
  name: 'record_finding',
  needs: 'findings',
  description:
    'Record one problem that the diff brings. With a test file that fails because of it, Photon runs the test on copies of head and base.',
  core: true,
  step: undefined,
  schema: z.strictObject({
    path: z.string().min(1).max(400),
    start_line: z.int().min(1).describe('at the head, shown by the diff'),
    end_line: z.int().min(1).optional(),
    severity: z.enum(findingSeverities),
    problem: z.string().min(1).max(1000).describe('what goes wrong, and when'),
    test: z
      .strictObject({
        path: z.string().min(1).max(400).describe('new file that the test command finds'),
        content: z.string().min(1).max(20_000),
      })
      .optional(),
  }),
  claims: ({ path, test }) =>
    [path, test?.path].filter(item => item !== undefined).map(p => ({ kind: 'navigate', path: p })),
  problems: async ({ start_line: start, end_line: end = start, test }, context) =>
    [
      end < start ? '/end_line: before start_line' : undefined,
      test !== undefined && context.holdsSecret(test.content)
        ? '/test/content: holds a secret'
        : undefined,
    ].filter(item => item !== undefined),
  run: async ({ path, start_line: start, end_line: end = start, ...args }, context) => {
    const { severity, test } = args;
    const problem = context.scrub(args.problem.trim());
    const draft = { path, start, end, severity, problem };
    const text = await context.findings?.record(test === undefined ? draft : { ...draft, test });
    return { text: text ?? 'Only a review records findings.', paths: [path] };
  },
});
