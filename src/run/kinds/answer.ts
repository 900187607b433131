/** A run that ends with an answer about the code as it is. */
import { codes } from '../../base/codes.ts';
import type { RunKind } from '../stages.ts';
import { looking, withExperiments, withoutRecording } from './looking.ts';

export const answer: RunKind = {
  ...looking,
  name: 'answer',
  tests: 'none',
  tools: tools => [
    ...withoutRecording(tools),
    ...withExperiments(tools).filter(t => t.name === 'run_command'),
  ],
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
