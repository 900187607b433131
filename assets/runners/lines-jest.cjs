/** Jest's hooks around the lines of each case; runs after the environment of a test file is made. */
const lines = require('./lines.cjs');

lines.start();
beforeEach(() => lines.begin(expect.getState().testPath));
afterEach(() => {
  const { testPath, currentTestName } = expect.getState();
  lines.end(testPath, currentTestName);
});
