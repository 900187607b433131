/** Lists the rules in order. To add a rule, add a file named after its code and a line here. */
import type { Rule } from '../rule.ts';
import { argumentsInvalid } from './arguments-invalid.ts';
import { callMissing } from './call-missing.ts';
import { clarifyUnfounded } from './clarify-unfounded.ts';
import { navigationMissing } from './navigation-missing.ts';
import { pathEscape } from './path-escape.ts';
import { pathFiltered } from './path-filtered.ts';
import { pathProtected } from './path-protected.ts';
import { phaseOrder } from './phase-order.ts';
import { planMissing } from './plan-missing.ts';
import { planScope } from './plan-scope.ts';
import { readLimit } from './read-limit.ts';
import { readUnbounded } from './read-unbounded.ts';
import { secretInPatch } from './secret-in-patch.ts';
import { skillBudget } from './skill-budget.ts';
import { skillGuard } from './skill-guard.ts';
import { skillInactive } from './skill-inactive.ts';
import { skillLimit } from './skill-limit.ts';
import { skillNotAllowed } from './skill-not-allowed.ts';
import { skillRequirement } from './skill-requirement.ts';
import { staleRead } from './stale-read.ts';
import { thinkMissing } from './think-missing.ts';
import { toolNotPermitted } from './tool-not-permitted.ts';
import { verifyMissing } from './verify-missing.ts';
import { writeBypass } from './write-bypass.ts';

/** Rules of class `violation` are judged first (decide.ts); within a class this order decides. */
export const rules: readonly Rule[] = [
  pathEscape,
  readUnbounded,
  readLimit,
  pathProtected,
  secretInPatch,
  pathFiltered,
  writeBypass,
  skillNotAllowed,
  callMissing,
  toolNotPermitted,
  skillRequirement,
  skillInactive,
  skillLimit,
  skillBudget,
  skillGuard,
  argumentsInvalid,
  thinkMissing,
  planMissing,
  phaseOrder,
  navigationMissing,
  planScope,
  staleRead,
  verifyMissing,
  clarifyUnfounded,
];
