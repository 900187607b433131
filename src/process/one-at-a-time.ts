/** Works that may not overlap, carried out in the order of asking. */

/** A line of works: each begins when the one before has ended, however it ended. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}
