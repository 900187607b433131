/** Hooks for jest that record the lines of each case; runs after jest has created the environment of a test file. */
const lines = require('./lines.cjs');

lines.start();
beforeEach(() => lines.begin(expect.getState().testPath));
afterEach(() => {
  const { testPath, currentTestName } = expect.getState();
  lines.end(testPath, currentTestName);
});
