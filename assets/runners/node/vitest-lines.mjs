/** A coverage provider of vitest that writes what V8 recorded, in the form in which Node writes it at the end of a process. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';

const folder = fileURLToPath(new URL('./coverage/', import.meta.url));
const inline = /^data:application\/json[^,]*;base64,/;
/** What stays of this module, which vitest loads anew for the end of a file. */
const key = Symbol.for('photon lines');
globalThis[key] ??= { scripts: new Map(), written: 0 };
const state = globalThis[key];

/** A session of the same thread replies before `post` returns. */
function ask(method, options) {
  let answer = {};
  state.session.post(method, options, (_, result) => (answer = result ?? {}));
  return answer;
}

export default {
  getProvider: () => ({
    name: 'lines',
    // vitest gives a module its source map only where a debugger may attach
    initialize(vitest) {
      for (const { config } of [vitest, ...vitest.projects])
        if (config.inspector) config.inspector.openInMainProcess = true;
      this.options = vitest.config.coverage;
    },
    resolveOptions() {
      return this.options;
    },
    clean() {},
    onAfterSuiteRun() {},
    generateCoverage() {},
    reportCoverage() {},
  }),
  startCoverage() {
    if (state.session !== undefined) return;
    state.session = new Session();
    state.session.connect();
    state.session.on('Debugger.scriptParsed', ({ params }) =>
      state.scripts.set(params.scriptId, params),
    );
    ask('Debugger.enable');
    ask('Debugger.setSkipAllPauses', { skip: true });
    ask('Profiler.enable');
    ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  },
  takeCoverage() {
    const maps = {};
    const { result = [] } = ask('Profiler.takePreciseCoverage');
    const own = result.filter(({ url }) => /^(?:file:\/\/)?\/(?!.*\/node_modules\/)/.test(url));
    for (const script of own) {
      const { sourceMapURL = '' } = state.scripts.get(script.scriptId) ?? {};
      if (script.url.startsWith('/')) script.url = pathToFileURL(script.url).href;
      if (!inline.test(sourceMapURL)) continue;
      const { scriptSource } = ask('Debugger.getScriptSource', { scriptId: script.scriptId });
      const data = JSON.parse(Buffer.from(sourceMapURL.replace(inline, ''), 'base64').toString());
      maps[script.url] = { data, lineLengths: scriptSource.split('\n').map(l => l.length) };
    }
    mkdirSync(folder, { recursive: true });
    state.written += 1;
    const found = JSON.stringify({ result: own, 'source-map-cache': maps });
    writeFileSync(`${folder}${process.pid}-${threadId}-${state.written}.json`, found);
  },
};
