/** verify: runs the project's test command on a clean copy that contains exactly the patch. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { mayDeliver, showOutput, type Verification } from '../base/outcome.ts';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { describeRun } from '../verify/describe-verification.ts';
import type { VerificationResult } from '../verify/prove-verdict.ts';
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
    if (session.changes().length === 0 && remade.failed === undefined) {
      const { text, facts } = await describeBase(context.verify);
      const verified = { patchDigest: session.patchDigest(), passed: false };
      return { text, facts, events: [{ kind: 'verified', ...verified }] };
    }
    const result = remade.failed ?? (await context.verify());
    const { patchDigest } = result.verification;
    const passed = mayDeliver(result.verification);
    const events: EvidenceEvent[] = [];
    // the next patch is not to be measured with lock files
    if (made.length > 0 && !passed) session.undo();
    else if (made.length > 0) {
      context.seen.patch(new Map(made.map(path => [path, rewritten])));
      events.push(patchedEvent(context, made));
    }
    const testsChanged = result.code === 'VERIFY_TESTS_CHANGED' ? true : undefined;
    return {
      text: result.message,
      verification: result,
      events: [
        ...events,
        { kind: 'verified', patchDigest, passed, testsChanged },
        ...(await seenIn(result.message, context)),
      ],
      facts: { ...verificationFacts(result.verification), code: remade.failed?.code },
      paths: session.changes().map(c => c.path),
      change: made.length > 0 && passed ? 'patch' : undefined,
    };
  },
});

/** A file that a program wrote: no line of it is known. */
const rewritten = { replacements: 'all', shown: new Map(), before: [], after: [] } as const;

/** Without a patch, the tests only show how the project is: nothing passes, and a command that cannot run ends nothing. */
async function describeBase(verify: () => Promise<VerificationResult>) {
  const none = 'There is no patch, so nothing was verified.';
  try {
    const { verification } = await verify();
    const { baseline } = verification;
    const how = baseline === undefined ? '' : ` The project as it is: ${describeRun(baseline)}`;
    const output = baseline?.passed === false ? `\n---\n${showOutput(baseline)}` : '';
    return { text: `${none}${how}${output}`, facts: verificationFacts(verification) };
  } catch (error) {
    if (!(error instanceof PhotonError) || error.code !== 'TEST_COMMAND_UNRUNNABLE') throw error;
    return { text: `${none} ${error.message}`, facts: { code: error.code } };
  }
}

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
