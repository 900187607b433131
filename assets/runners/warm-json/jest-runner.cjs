/** In place of the test runner that jest is configured with: jest-driver.cjs watches the tests of each file. */
module.exports = async (...given) => {
  const [, config, environment, , file] = given;
  const { runners, attach } = globalThis[Symbol.for('photon.jest')];
  const path = runners.get(config.id ?? config.name);
  const loaded = require(path);
  // jasmine sends no such events
  if (path.includes('circus')) attach(environment, file);
  return (loaded.default ?? loaded)(...given);
};
