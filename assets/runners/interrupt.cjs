/** Part of the programs that run tests in a thread that stays: ends a call that never returns, and tells how long a test may take. */
const outOfTime = 'ran out of time';
const callKey = Symbol.for('photon.call');
// tests may replace it
const nowMs = performance.now.bind(performance);
let callScript = null;

/** Processor time of this thread, in milliseconds; of the process in older versions of Node. */
const threadMs = () => {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1000;
};

/** Calls `work`, and throws the result of `late` if it does not return within `timeout` milliseconds. */
function callWithin(timeout, work, late) {
  callScript ??= new (require('node:vm').Script)("globalThis[Symbol.for('photon.call')]()");
  const began = nowMs();
  globalThis[callKey] = work;
  try {
    return callScript.runInThisContext({ timeout, displayErrors: false });
  } catch (error) {
    const own = nowMs() - began >= timeout - 1;
    throw error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' && own ? late() : error;
  }
}

/** Time that a test has before any is known, and how many times that of the slowest test so far, in milliseconds. */
const leastMs = 1_000;
const timesSlowest = 20;
/** Instead of the first, once tests are known, and for the others of a job behind one that did not end. */
const shortMs = 300;

function openCaseTimer() {
  // a busy machine makes no test slower in processor time
  const slowest = { cpu: 0, wall: 0 };
  let least = leastMs;
  const most = ms => Math.ceil(least + timesSlowest * ms);
  const late = () => {
    least = shortMs;
    return new Error(outOfTime);
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
      const began = { cpu: threadMs(), wall: nowMs() };
      const done = () => {
        slowest.wall = Math.max(slowest.wall, nowMs() - began.wall);
      };
      const result = callWithin(most(slowest.cpu), work, late);
      slowest.cpu = Math.max(slowest.cpu, threadMs() - began.cpu);
      if (typeof result?.then === 'function') result.then(done, () => {});
      else done();
      return result;
    },
  };
}
