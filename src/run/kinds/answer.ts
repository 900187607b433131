/** A run that ends with an answer about the code as it is. */
import { codes } from '../../base/codes.ts';
import { runCommand } from '../../tools/run-command.ts';
import type { Tool } from '../../tools/tool.ts';
import type { RunKind } from '../stages.ts';
import { looking, withoutRecording } from './looking.ts';

export const answer: RunKind = {
  ...looking,
  name: 'answer',
  tests: 'none',
  tools: tools => [...withoutRecording(tools), ...tools.flatMap(asExperiment)],
  instructions: 'answer_only',
  settle: async (_run, ending) =>
    ending.status === 'no_change'
      ? {
          ...ending,
          status: 'abstained',
          code: 'ANSWER_MISSING',
          message: codes.ANSWER_MISSING.meaning,
        }
      : ending,
};

/** A command may try things out without a skill: its view is thrown away, and nothing of it is delivered. */
function asExperiment(tool: Tool): readonly Tool[] {
  return tool.name === runCommand.name ? [{ ...tool, core: true }] : [];
}
