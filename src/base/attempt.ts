/** For what the machine or a foreign text may refuse, where it does not matter why. Pure. */

/** What the work gives; undefined if it throws. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
