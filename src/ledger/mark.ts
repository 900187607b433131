/** Entries of the ledger that the engine itself makes. */

/** An entry of the engine's own. */
export function mark(tool: string, facts: Readonly<Record<string, string | number | boolean>>) {
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
