/** Part of the programs that run tests in a thread that stays: interrupts a test that a candidate made endless. */

/** Time that every test has, and how many times that of the slowest test so far, in milliseconds. */
const leastMs = 1_000;
const timesSlowest = 20;
/** After one that did not end, the others of a job have this instead of the first. */
const shortMs = 300;
const callKey = Symbol.for('photon.call');
const callScript = new (process.getBuiltinModule('node:vm').Script)(
  "globalThis[Symbol.for('photon.call')]()",
);
const outOfTime = 'ran out of time';

function openCaseTimer() {
  let slowest = 0;
  let least = leastMs;
  const most = () => Math.ceil(least + timesSlowest * slowest);
  const late = () => {
    least = shortMs;
    return new Error(outOfTime);
  };
  const interrupted = work => {
    globalThis[callKey] = work;
    try {
      return callScript.runInThisContext({ timeout: most(), displayErrors: false });
    } catch (error) {
      throw error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? late() : error;
    }
  };
  return {
    /** Begins a job. */
    begin() {
      least = leastMs;
    },
    /** Time that a test has now, in milliseconds. */
    most,
    /** The error of a test that did not end. */
    late,
    /** Calls a test, and learns from how long it takes if it passes. */
    call(work) {
      const began = performance.now();
      const done = () => {
        slowest = Math.max(slowest, performance.now() - began);
      };
      const result = interrupted(work);
      if (typeof result?.then === 'function') result.then(done, () => {});
      else done();
      return result;
    },
  };
}
