/** verify: runs the project's test command on a clean copy that contains exactly the patch. */
import * as z from 'zod';
import { mayDeliver, type Verification } from '../base/outcome.ts';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { patchedEvent } from './apply-patch.ts';
import { defineTool, seenIn, type ToolResult } from './tool.ts';

export const verify = defineTool({
  name: 'verify',
  description: 'Run the tests on the patch.',
  core: true,
  step: 'verify',
  schema: z.strictObject({}),
  claims: () => [{ kind: 'run', commands: [] }],
  run: async (_args, context): Promise<ToolResult> => {
    if (context.verify === undefined)
      return { text: 'The settings waive verification. Call finish when the patch is complete.' };
    const { session } = context;
    const remade = (await context.remakeLocks?.()) ?? { made: [] };
    const { made } = remade;
    const result = remade.failed ?? (await context.verify());
    const { patchDigest } = result.verification;
    const passed = mayDeliver(result.verification);
    const events: EvidenceEvent[] = [];
    const known = new Map(made.map(path => [path, new Map()]));
    // the next patch is not to be measured with lock files
    if (made.length > 0 && !passed) session.undo();
    else if (made.length > 0) events.push(patchedEvent(session, known));
    const testsChanged = result.code === 'VERIFY_TESTS_CHANGED' ? true : undefined;
    const changes = session.changes();
    const state =
      changes.length === 0
        ? 'Nothing is changed yet, so this is the project without a patch. '
        : '';
    return {
      text: `${state}${result.message}`,
      verification: result,
      events: [
        ...events,
        { kind: 'verified', verified: { patchDigest, passed, testsChanged } },
        ...(await seenIn(result.message, context)),
      ],
      facts: { ...verificationFacts(result.verification), code: remade.failed?.code },
      paths: changes.map(c => c.path),
      // undo takes back the made files as one step, which moves no line that was shown
      moves: made.length > 0 && passed ? new Map() : undefined,
    };
  },
});

/** How each test run ended, by name, whether nothing judged the patch, and the number of refused connections. */
function verificationFacts({ baseline, early, after, withBaseTests, unjudged }: Verification) {
  const runs = Object.entries({ baseline, early, after, withBaseTests }).flatMap(([name, run]) =>
    run === undefined ? [] : [[name, run] as const],
  );
  const refused = runs.reduce((sum, [, run]) => sum + (run.refusedConnections ?? 0), 0);
  return {
    ...Object.fromEntries(runs.map(([name, run]) => [name, run.limit ?? run.exitCode ?? 'killed'])),
    unjudged: unjudged || undefined,
    refusedConnections: refused || undefined,
  };
}
