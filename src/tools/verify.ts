/** verify: the project's test command on a clean copy with exactly the patch (SPEC §11). */
import * as z from 'zod';
import { defineTool, type ToolResult } from './tool.ts';

export const verify = defineTool({
  name: 'verify',
  description: 'Run the test command on a clean copy with exactly the patch.',
  core: true,
  step: 'verify',
  schema: z.strictObject({}),
  claims: () => [{ kind: 'run', line: 'verify' }],
  run: async (_args, room): Promise<ToolResult> => {
    if (room.verify === null)
      return { text: 'Verification is waived by the settings; finish when the patch is right.' };
    const answer = await room.verify();
    const { patchDigest, passed } = answer.verification;
    return {
      text: answer.message,
      verification: answer,
      events: [{ kind: 'verified', verified: { patchDigest, passed } }],
      paths: room.session.changes().map(c => c.path),
    };
  },
});
