/** A run that ends with an answer about the code as it is. */
import { findPlaces } from '../../base/findings.ts';
import type { Ending } from '../../base/outcome.ts';
import { normalisePath } from '../../guard/paths.ts';
import { answerTool } from '../../tools/finish.ts';
import type { Session } from '../../workspace/session/session.ts';
import type { RunKind } from '../stages.ts';
import { looking, withExperiments, withoutRecording } from './looking.ts';

export const answer: RunKind = {
  ...looking,
  name: 'answer',
  tests: 'none',
  tools: tools => [
    ...withoutRecording(tools).map(tool => (tool.name === answerTool.name ? answerTool : tool)),
    ...withExperiments(tools).filter(t => t.name === 'run_command'),
  ],
  instructions: 'answer_only',
  schema: policy => policy.outputSchema,
  settle: async (_run, ending) => ending,
};

const question =
  /^(please,?\s+)?(why|how|what|where|which|who|whose|when|is|are|does|do|did|was|were|has|have)\b/i;
const request = /^(please,?\s+)?(explain|describe|tell me)\b/i;

/**
 * True for one paragraph that asks or wants something explained. `How about`, `can you` and the like may ask for a change,
 * so they are none.
 */
export function isQuestion(task: string): boolean {
  const text = task.trim();
  if (/\n\s*\n/.test(text) || /^how about\b/i.test(text)) return false;
  return request.test(text) || (question.test(text) && text.endsWith('?'));
}

/** The ending with the places of its answer: does each of them exist at the commit of the run? */
export async function withPlaces(
  ending: Ending,
  session: Pick<Session, 'plainText'>,
): Promise<Ending> {
  const named = findPlaces(ending.answer ?? '');
  if (named.length === 0) return ending;
  const places = [];
  for (const place of named) {
    const text =
      normalisePath(place.path) === place.path ? await session.plainText(place.path) : undefined;
    const count = text === undefined ? 0 : text.replace(/\n$/, '').split('\n').length;
    const exists = place.start >= 1 && place.start <= place.end && place.end <= count;
    places.push({ ...place, exists });
  }
  return { ...ending, places };
}
