/**
 * Ends a test case with the type of the first value of an expression, or with `throws`. Photon appends this text to a
 * source file, so it declares functions only.
 */
function photonProbe(make) {
  let found = 'throws';
  try {
    const value = make();
    const isObject = typeof value === 'object' && value !== null;
    found = isObject
      ? (value.constructor?.name ?? 'object')
      : value === null
        ? 'null'
        : typeof value;
  } catch {
    // it throws
  }
  // in parts, so that a report that quotes this line does not hold the mark
  throw new Error(['photon', 'probed', `${found};`].join(' '));
}
