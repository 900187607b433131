/** Tells whether the text of a task is a question. Pure. */

const asks =
  /^(?:please,?\s+)?(?:why|how|what|where|which|who|whose|when|is|are|does|do|did|was|were|has|have|explain|describe|tell me)\b/i;

/**
 * True for one paragraph that asks or wants something explained. `How about`, `can you` and the like may ask for a change,
 * so they are none.
 */
export function isQuestion(task: string): boolean {
  const text = task.trim();
  if (/\n\s*\n/.test(text) || /^how about\b/i.test(text)) return false;
  return (
    asks.test(text) &&
    (text.endsWith('?') || /^(?:please,?\s+)?(?:explain|describe|tell me)\b/i.test(text))
  );
}
