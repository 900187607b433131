/** The list of templates. Their order decides only between candidates with the same score. */
import type { Template } from '../template.ts';
import { swapArguments } from './arguments.ts';
import { callName } from './call-name.ts';
import { helper } from './helper.ts';
import { negation } from './negation.ts';
import { offByOne } from './off-by-one.ts';
import { arithmetic, comparison, connective } from './operators.ts';
import { variable } from './variable.ts';

export const templates: readonly Template[] = [
  comparison,
  offByOne,
  connective,
  arithmetic,
  negation,
  variable,
  callName,
  helper,
  swapArguments,
];
