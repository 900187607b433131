/** The sentences about what a run that did not deliver left in the repository. */
import { type LeftBehind, nothingLeft } from '../base/outcome.ts';

/**
 * Says what was read back; without a delivery that failed there is nothing to read.
 * @param quote shows a name so that it cannot be taken for something else.
 */
export function leftText(
  { branches, pulls, unread }: LeftBehind = nothingLeft,
  quote: (name: string) => string = name => name,
): string {
  const sentences = [
    ...branches.map(
      ({ name, commit }) =>
        `The branch ${quote(name)} holds the commit ${quote(commit)} of this run.`,
    ),
    ...pulls.map(({ number, change, state }) =>
      change === 'closed' || (change === 'opened' && state === 'open')
        ? `This run ${change} pull request #${number}.`
        : `This run ${change} pull request #${number}, which is ${state} now.`,
    ),
    ...unread.map(
      what => `Photon cannot tell whether this run changed ${quote(what)}: look there on GitHub.`,
    ),
  ];
  return sentences.length === 0 ? 'Nothing was written to the repository.' : sentences.join(' ');
}
