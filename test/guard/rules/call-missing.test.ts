/** The rows of CALL_MISSING. */
import { callMissing } from '../../../src/guard/rules/call-missing.ts';
import { playRows } from './cases.ts';

playRows(callMissing, 'abstain CALL_MISSING §1', [
  ['no call', [], 'the reply contains no tool call', { call: { tool: '', exists: false } }],
]);
