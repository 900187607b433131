/** Part of the programs that run tests: the values of a failed assertion. */
const { inspect } = require('node:util');

const maxCompared = 2000;
const shown = { depth: 4, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 50 };

/** The two values that a failed assertion compared, as texts. */
function comparedIn(error) {
  if (typeof error !== 'object' || error === null) return {};
  if (!('actual' in error && 'expected' in error)) return {};
  const written = value => (typeof value === 'string' ? value : inspect(value, shown));
  try {
    const [actual, expected] = [written(error.actual), written(error.expected)];
    return {
      compared: { actual: actual.slice(0, maxCompared), expected: expected.slice(0, maxCompared) },
    };
  } catch {
    return {};
  }
}
