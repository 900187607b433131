/** CLARIFY_UNFOUNDED: a question that the evidence of this run does not justify (§9). */
import type { Claim } from '../claim.ts';
import type { Case, Rule } from '../rule.ts';

export const clarifyUnfounded: Rule = {
  code: 'CLARIFY_UNFOUNDED',
  section: '§9',
  judge: c => {
    for (const claim of c.call.claims) {
      const reason = claim.kind === 'clarify' ? judgeQuestion(claim, c) : null;
      if (reason !== null) return reason;
    }
    return null;
  },
};

/** A conflict needs at least two choices; a symbol counts as missing only after a lookup failed. */
function judgeQuestion(claim: Extract<Claim, { kind: 'clarify' }>, c: Case): string | null {
  switch (claim.reason) {
    case 'destructive_paths':
    case 'conflicting_constraints':
      return claim.choices < 2 ? 'the question offers fewer than two choices' : null;
    case 'unresolved_symbol': {
      const { symbol } = claim;
      if (symbol === undefined) return 'the question names no symbol';
      return [...c.evidence.unresolved].some(name => name.includes(symbol))
        ? null
        : 'no lookup in this run failed to find the symbol';
    }
  }
}
