/** Ledger entries for steps of the engine itself, which no tool call made. */

/** An entry of the engine with the given facts. */
export function mark(
  tool: string,
  facts: Readonly<Record<string, string | number | boolean | undefined>>,
) {
  return {
    phase: 'INPUT',
    tool,
    decision: 'pass',
    code: null,
    paths: [],
    arguments: '',
    content: '',
    durationMs: 0,
    facts,
  } as const;
}
