/** The exit status of a command: one for each way to end that a script must tell apart. */
import { type Code, PhotonError } from '../base/codes.ts';
import { exitStatus, type Outcome } from '../base/outcome.ts';

/** Codes of a command line or a value that cannot be used. */
const usageCodes: ReadonlySet<Code> = new Set(['USAGE', 'SETTING_INVALID', 'TASK_MISSING']);

/** What a command can exit with, as `photon --help` lists it. */
export const exitStatuses = [
  ['0', 'Success, or nothing to do'],
  ['1', 'Failure'],
  ['2', 'The command line or a value in it is invalid'],
  ['3', 'The run gave up, or asks a question (with fail-on-abstain: 1)'],
  ['130', 'You interrupted the command'],
] as const;

/** The exit status of an error that ends a command. */
export function statusOfError(error: unknown): number {
  return error instanceof PhotonError ? statusOfCode(error.code) : 1;
}

/** The exit status of a run at the terminal. */
export function statusOfRun({ status, code }: Outcome, failOnAbstain: boolean): number {
  if (status === 'failed') return statusOfCode(code);
  const isOpen = status === 'abstained' || status === 'needs_clarification';
  return isOpen && !failOnAbstain ? 3 : exitStatus(status, failOnAbstain);
}

/** The status of several runs: that of the one which ended worst. */
export function worstStatus(statuses: readonly number[]): number {
  return [130, 2, 1, 3].find(s => statuses.includes(s)) ?? 0;
}

function statusOfCode(code: Code): number {
  if (code === 'CANCELLED') return 130;
  return usageCodes.has(code) ? 2 : 1;
}
