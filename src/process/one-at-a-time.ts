/** A queue for asynchronous work that must not overlap. */

/** Runs each piece of work after the previous one has settled, in the order of the calls. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}
