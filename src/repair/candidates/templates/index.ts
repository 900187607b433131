/** The list of templates. Their order decides only between candidates with the same score. */
import type { Template } from '../template.ts';
import { callArguments } from './arguments.ts';
import { arithmetic } from './arithmetic.ts';
import { assignment } from './assignment.ts';
import { awaited } from './await.ts';
import { callName } from './call-name.ts';
import { chain } from './chain.ts';
import { comparison } from './comparison.ts';
import { condition } from './condition.ts';
import { connective } from './connective.ts';
import { constant } from './constant.ts';
import { defaultValue } from './default-value.ts';
import { deleted } from './delete.ts';
import { donor } from './donor.ts';
import { element } from './element.ts';
import { expectedText } from './expected-text.ts';
import { flow } from './flow.ts';
import { guard } from './guard.ts';
import { helper } from './helper.ts';
import { missingImport } from './import.ts';
import { insert } from './insert.ts';
import { missingCall } from './missing-call.ts';
import { move } from './move.ts';
import { negation } from './negation.ts';
import { nullCheck } from './null-check.ts';
import { offByOne } from './off-by-one.ts';
import { operand } from './operand.ts';
import { pairedCall } from './paired-call.ts';
import { parallel } from './parallel.ts';
import { presence } from './presence.ts';
import { returnValue } from './return-value.ts';
import { revert } from './revert.ts';
import { shortcut } from './shortcut.ts';
import { slice } from './slice.ts';
import { otherText } from './text.ts';
import { unusedName } from './unused-name.ts';
import { unwrapCall } from './unwrap-call.ts';
import { update } from './update.ts';
import { variable } from './variable.ts';
import { wrapCall } from './wrap-call.ts';

export const templates: readonly Template[] = [
  comparison,
  revert,
  offByOne,
  connective,
  arithmetic,
  shortcut,
  variable,
  unusedName,
  constant,
  negation,
  callName,
  helper,
  callArguments,
  awaited,
  nullCheck,
  presence,
  missingImport,
  slice,
  operand,
  chain,
  element,
  condition,
  returnValue,
  assignment,
  flow,
  wrapCall,
  unwrapCall,
  expectedText,
  otherText,
  defaultValue,
  missingCall,
  pairedCall,
  parallel,
  update,
  guard,
  donor,
  move,
  insert,
  deleted,
];
