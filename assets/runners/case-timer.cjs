/** Part of the programs that run tests in a thread that stays: interrupts a test that a candidate made endless. */

/** Time that a test has before any is known, and how many times that of the slowest test so far, in milliseconds. */
const leastMs = 1_000;
const timesSlowest = 20;
/** Instead of the first, once tests are known, and for the others of a job behind one that did not end. */
const shortMs = 300;
const callKey = Symbol.for('photon.call');
const callScript = new (process.getBuiltinModule('node:vm').Script)(
  "globalThis[Symbol.for('photon.call')]()",
);
const outOfTime = 'ran out of time';

function openCaseTimer() {
  // a busy machine makes no test slower in processor time
  const cpu = () => {
    const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
    return (user + system) / 1000;
  };
  const slowest = { cpu: 0, wall: 0 };
  let least = leastMs;
  const most = ms => Math.ceil(least + timesSlowest * ms);
  const late = () => {
    least = shortMs;
    return new Error(outOfTime);
  };
  const interrupted = work => {
    globalThis[callKey] = work;
    try {
      return callScript.runInThisContext({ timeout: most(slowest.cpu), displayErrors: false });
    } catch (error) {
      throw error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? late() : error;
    }
  };
  return {
    /** Begins a job. */
    begin() {
      least = slowest.wall > 0 ? shortMs : leastMs;
    },
    /** Time that a test may wait, in milliseconds. */
    most: () => most(slowest.wall),
    /** The error of a test that did not end. */
    late,
    /** Calls a test, and learns from how long it takes if it passes. */
    call(work) {
      const began = { cpu: cpu(), wall: performance.now() };
      const done = () => {
        slowest.wall = Math.max(slowest.wall, performance.now() - began.wall);
      };
      const result = interrupted(work);
      slowest.cpu = Math.max(slowest.cpu, cpu() - began.cpu);
      if (typeof result?.then === 'function') result.then(done, () => {});
      else done();
      return result;
    },
  };
}
