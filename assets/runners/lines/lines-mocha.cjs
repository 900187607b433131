/** Root hooks for mocha that record the lines of each case. */
const lines = require('./lines.cjs');

lines.start();
exports.mochaHooks = {
  beforeEach() {
    lines.begin(this.currentTest.file);
  },
  afterEach() {
    lines.end(this.currentTest.file, this.currentTest.fullTitle());
  },
};
