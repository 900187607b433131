/** The rows of THINK_MISSING. */
import { thinkMissing } from '../../../src/guard/rules/think-missing.ts';
import { playRows } from './cases.ts';

playRows(thinkMissing, [
  [
    'nothing said',
    [],
    'abstain THINK_MISSING §4.1 the reply contains tool calls but no reasoning',
    { evidence: { thought: '' } },
  ],
  [
    'spaces said',
    [],
    'abstain THINK_MISSING §4.1 the reply contains tool calls but no reasoning',
    { evidence: { thought: ' \n ' } },
  ],
]);
