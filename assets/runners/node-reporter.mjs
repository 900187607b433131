/** A reporter of node:test: one JSON line for each case, marked so that it is told from what tests print. */
import { relative } from 'node:path';

const skipped = data => data.skip !== undefined || data.todo !== undefined;

const framesOf = error =>
  [
    ...String(error?.cause?.stack ?? error?.stack ?? '').matchAll(
      /(?:file:\/\/)?(\/[^\s):]+):(\d+):\d+/g,
    ),
  ]
    .map(([, path, line]) => ({ path: relative(process.cwd(), path), line: Number(line) }))
    .filter(({ path }) => !path.startsWith('..') && !path.includes('node_modules/'))
    .slice(0, 20);

function caseOf(path, data, failed) {
  const file = data.file === undefined ? '' : relative(process.cwd(), data.file);
  // a file that ends without a case, or badly, is reported under its own path
  const names = path.filter(name => relative(process.cwd(), name) !== file && name !== data.file);
  const { error } = data.details ?? {};
  return {
    id: [file, ...names].join(' > ').replace(/\s+/g, ' ').slice(0, 500),
    file,
    status: skipped(data) ? 'skipped' : failed ? 'failed' : 'passed',
    ...(failed
      ? {
          message: String(error?.cause?.message ?? error?.message ?? '').slice(0, 1000),
          frames: framesOf(error),
        }
      : {}),
  };
}

export default async function* report(source) {
  const path = [];
  let inner = 0;
  for await (const { type, data } of source) {
    // said at once, so that a file that never ends is known, too
    if (type === 'test:dequeue' && data.file !== undefined)
      yield `\nphoton-file ${JSON.stringify(relative(process.cwd(), data.file))}\n`;
    if (type === 'test:start') {
      path.length = data.nesting;
      path[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // a suite closes after its cases, one level up
    const container = inner > data.nesting || data.details?.type === 'suite';
    inner = data.nesting;
    const failed = type === 'test:fail';
    const own = data.details?.error?.failureType !== 'subtestsFailed';
    if (container && !(failed && own)) continue;
    yield `\nphoton-case ${JSON.stringify(caseOf([...path.slice(0, data.nesting), data.name], data, failed))}\n`;
  }
}
