/** A reporter for node:test: one JSON line for each case, with a prefix that sets it apart from the output of tests. */
import { relative, resolve } from 'node:path';

/** The path of a file in the project. */
const pathOf = file => relative(process.cwd(), file);

const skipped = data => data.skip !== undefined || data.todo !== undefined;

const framesOf = error =>
  [
    ...String(error?.cause?.stack ?? error?.stack ?? '').matchAll(
      /(?:file:\/\/)?(\/[^\s):]+):(\d+):\d+/g,
    ),
  ]
    .map(([, path, line]) => ({ path: pathOf(path), line: Number(line) }))
    .filter(({ path }) => !path.startsWith('..') && !path.includes('node_modules/'))
    .slice(0, 20);

const maxStderr = 4000;
/** What each test file printed to standard error: why it did not load. */
const printed = new Map();

/** The message of an error and of its causes, such as the address of a failed `fetch`. */
function messageOf(error) {
  // the limit of processor time
  const messages = /^SIG(?:KILL|XCPU)$/.test(error?.signal) ? ['ran out of time'] : [];
  for (let at = error?.cause ?? error; at && messages.length < 4; at = at.cause)
    messages.push(String(at.message ?? at));
  return messages.join('; caused by: ');
}

function caseOf(path, data, failed) {
  const file = data.file === undefined ? '' : pathOf(data.file);
  // a file without cases, or that failed, is reported under its own path
  const names = path.filter(name => pathOf(name) !== file && name !== data.file);
  const { error } = data.details ?? {};
  // a process that ended by itself says why on standard error only
  const words = names.length === 0 ? (printed.get(resolve(data.file ?? '')) ?? '') : '';
  return {
    id: [file, ...names].join(' > ').replace(/\s+/g, ' ').slice(0, 500),
    file,
    status: skipped(data) ? 'skipped' : failed ? 'failed' : 'passed',
    ...(failed
      ? {
          message: `${messageOf(error)}\n${words}`.trim().slice(0, 2000),
          frames: framesOf(error),
        }
      : {}),
  };
}

export default async function* report(source) {
  const path = [];
  let inner = 0;
  for await (const { type, data } of source) {
    // printed at once, so that a file that never ends is known, too
    if (type === 'test:dequeue' && data.file !== undefined)
      yield `\nphoton-file ${JSON.stringify(pathOf(data.file))}\n`;
    if (type === 'test:stderr' && data.file !== undefined) {
      const path = resolve(data.entryFile ?? data.file);
      printed.set(path, `${printed.get(path) ?? ''}${data.message}`.slice(0, maxStderr));
    }
    if (type === 'test:start') {
      path.length = data.nesting;
      path[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // a suite ends after its cases, one level up
    const container = inner > data.nesting || data.details?.type === 'suite';
    inner = data.nesting;
    const failed = type === 'test:fail';
    const own = data.details?.error?.failureType !== 'subtestsFailed';
    if (container && !(failed && own)) continue;
    yield `\nphoton-case ${JSON.stringify(caseOf([...path.slice(0, data.nesting), data.name], data, failed))}\n`;
  }
}
