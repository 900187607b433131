/** Runs inside the sandbox: reads jobs from standard input and runs them with the project's own vitest, which stays warm. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const root = process.cwd();
const write = process.stdout.write.bind(process.stdout);
// the output of vitest and tests must not mix with results
process.stdout.write = (_text, ...rest) => {
  rest.find(r => typeof r === 'function')?.();
  return true;
};
const say = answer => write(`${JSON.stringify(answer)}\n`);
const lookMs = 50;
const state = { vitest: null, specs: [], limits: null, originals: new Map(), placed: new Set() };

async function open({ words, limits }) {
  state.limits = limits;
  const own = createRequire(`${root}/package.json`);
  const { createVitest, parseCLI } = await import(pathToFileURL(own.resolve('vitest/node')).href);
  const { filter, options } = parseCLI(['vitest', ...words]);
  const quiet = { watch: false, reporters: [{}], coverage: { enabled: false } };
  state.vitest = await createVitest('test', { ...options, ...quiet });
  await state.vitest.standalone();
  state.specs = await state.vitest.globTestSpecifications(filter);
}

function originalOf(path) {
  if (!state.originals.has(path)) {
    let text = null;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      // the candidate creates this file
    }
    state.originals.set(path, text);
  }
  return state.originals.get(path);
}

function put(path, text) {
  if (text === null) rmSync(path, { force: true });
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  state.vitest.invalidateFile(resolve(root, path));
}

/** Writes the files of a candidate, and restores those of the earlier one. */
function place(files) {
  for (const path of state.placed) if (!(path in files)) put(path, originalOf(path));
  state.placed = new Set(Object.keys(files));
  for (const [path, text] of Object.entries(files)) {
    originalOf(path);
    put(path, text);
  }
}

/** The processor time of this process and its children, in milliseconds by process id. */
function cpuTimes() {
  const { user, system } = process.cpuUsage();
  const times = new Map([[process.pid, (user + system) / 1000]]);
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      // the name in parentheses may hold spaces
      const rest = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
      if (Number(rest[1]) === process.pid)
        times.set(Number(pid), (Number(rest[11]) + Number(rest[12])) * 10);
    } catch {
      // the process has ended
    }
  }
  return times;
}

/** Ends this process and its workers; the adapter starts a new one. */
function leave() {
  for (const pid of cpuTimes().keys())
    if (pid !== process.pid)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // the process has ended
      }
  process.exit(1);
}

/** Watches the processor time of a job; at the limit, this whole process ends. */
function watch({ cpuMs, wallMs }) {
  const start = cpuTimes();
  const began = performance.now();
  const spent = new Map();
  const look = () => {
    for (const [pid, ms] of cpuTimes()) spent.set(pid, ms - (start.get(pid) ?? 0));
    const late = performance.now() - began > wallMs;
    if (late || [...spent.values()].some(ms => ms > cpuMs)) leave();
  };
  const timer = setInterval(look, lookMs);
  return () => {
    clearInterval(timer);
    look();
    return [...spent.values()].reduce((sum, ms) => sum + ms, 0);
  };
}

const below = path => relative(root, path).replaceAll(sep, '/');

function framesOf(stack) {
  return [...String(stack ?? '').matchAll(/(?:file:\/\/)?(\/[^\s():]+):(\d+)/g)]
    .map(([, path, line]) => ({ path: below(path), line: Number(line) }))
    .filter(f => !f.path.startsWith('..') && !f.path.includes('node_modules/') && f.line > 0)
    .slice(0, 20);
}

function failure(errors) {
  const [error] = errors;
  const frames = errors.flatMap(e =>
    e.stacks?.length > 0
      ? e.stacks
          .map(s => ({ path: below(s.file), line: s.line }))
          .filter(f => !f.path.startsWith('..'))
      : framesOf(e.stack),
  );
  return { message: String(error?.message ?? '').slice(0, 1000), frames: frames.slice(0, 20) };
}

function nameOf(test) {
  const names = [];
  for (let at = test; at && at.type !== 'module'; at = at.parent) names.unshift(at.name);
  return names.join(' ');
}

/** The cases of the test files, with the names of vitest's JSON report. */
function casesOf(modules) {
  const seen = new Map();
  return modules.flatMap(module => {
    const file = below(module.moduleId);
    const cases = [...module.children.allTests()].map(test => {
      const plain = `${file} > ${nameOf(test)}`.replace(/\s+/g, ' ').slice(0, 500);
      const count = (seen.get(plain) ?? 0) + 1;
      seen.set(plain, count);
      const id = count === 1 ? plain : `${plain} (${count})`;
      const { state: how, errors } = test.result();
      if (how === 'failed') return { id, file, status: 'failed', ...failure(errors ?? []) };
      return { id, file, status: how === 'passed' ? 'passed' : 'skipped' };
    });
    const broken = module.state() === 'failed' && !cases.some(c => c.status === 'failed');
    return broken ? [{ id: file, file, status: 'failed', ...failure(module.errors()) }] : cases;
  });
}

async function runJob({ id, files, stages, bail }) {
  place(files);
  const done = watch(state.limits);
  const cases = new Map();
  let ended = 'done';
  for (const { tests } of stages) {
    const specs = state.specs.filter(s => tests.length === 0 || tests.includes(below(s.moduleId)));
    const { testModules, unhandledErrors } = await state.vitest.runTestSpecifications(specs);
    const found = casesOf(testModules);
    for (const c of found) cases.set(c.id, c);
    const failed = found.some(c => c.status === 'failed');
    if (unhandledErrors.length > 0 && !failed) ended = 'crash';
    if ((failed && bail) || ended !== 'done') break;
  }
  return { id, cases: [...cases.values()], ended, coverage: [], cpuMs: done() };
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line);
    if (job.op === 'open') await open(job);
    else say(await runJob(job));
  }
  process.exit();
}

void main();
