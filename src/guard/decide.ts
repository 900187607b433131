/** The guard: one pure function over one table of rules (fpf §3; constitution §3, §10). */
import type { Code } from '../codes.ts';
import type { RuleClass, RuleCode } from './constitution.ts';
import type { Case } from './rule.ts';
import { rules } from './rules/index.ts';

/** The guard's answer. `degrade` is made by the engine when a passed call then fails. */
export type Decision =
  | { readonly state: 'pass' }
  | {
      readonly state: 'abstain' | 'violation';
      readonly code: RuleCode;
      readonly section: string;
      readonly reason: string;
    }
  | { readonly state: 'degrade'; readonly code: Code | null; readonly reason: string };

/**
 * Judges one call before it runs. Violations are looked for first, since they hold whatever the
 * evidence; among equals the order of the table decides. Unknown evidence is never a pass: a rule
 * that cannot find the facts of a path answers as if they spoke against the call.
 */
export function decide(c: Case): Decision {
  return judgeClass(c, 'violation') ?? judgeClass(c, 'abstain') ?? { state: 'pass' };
}

function judgeClass(c: Case, state: RuleClass): Decision | null {
  for (const rule of rules) {
    if (c.law.rules[rule.code] !== state) continue;
    const reason = rule.judge(c);
    if (reason !== null) return { state, code: rule.code, section: rule.section, reason };
  }
  return null;
}
