/** A run that repairs the finding of a scanner: a change, after which the scan must not find it any more. */
import type { RunKind } from '../stages.ts';
import { change } from './change.ts';

const unscanned =
  'No scan shows that the finding is gone: set sarif-command to the command of the scanner, with a verification.';

export const alert: RunKind = {
  ...change,
  name: 'alert',
  warning: ({ sarifCommand, require }) =>
    sarifCommand === '' || require === 'none' ? unscanned : undefined,
};
