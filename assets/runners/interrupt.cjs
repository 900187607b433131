/** Part of the programs that run tests in a thread that stays: ends a call that never returns. */
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
