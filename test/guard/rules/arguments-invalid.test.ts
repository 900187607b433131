/** The rows of ARGUMENTS_INVALID. */
import { argumentsInvalid } from '../../../src/guard/rules/arguments-invalid.ts';
import { playRows } from './cases.ts';

playRows(argumentsInvalid, 'abstain ARGUMENTS_INVALID §6', [
  [
    'all of them',
    [],
    '/a: wrong; /b: wrong',
    { call: { problems: 2, problemText: '/a: wrong; /b: wrong' } },
  ],
]);
