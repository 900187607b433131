/** The list of templates. Their order decides only between candidates with the same score. */
import type { Template } from '../template.ts';
import { callArguments } from './arguments.ts';
import { arithmetic } from './arithmetic.ts';
import { callName } from './call-name.ts';
import { comparison } from './comparison.ts';
import { condition } from './condition.ts';
import { connective } from './connective.ts';
import { element } from './element.ts';
import { flow } from './flow.ts';
import { guard } from './guard.ts';
import { helper } from './helper.ts';
import { negation } from './negation.ts';
import { offByOne } from './off-by-one.ts';
import { update } from './update.ts';
import { variable } from './variable.ts';
import { wrapCall } from './wrap-call.ts';

export const templates: readonly Template[] = [
  comparison,
  offByOne,
  connective,
  arithmetic,
  negation,
  variable,
  callName,
  helper,
  callArguments,
  element,
  condition,
  flow,
  wrapCall,
  update,
  guard,
];
