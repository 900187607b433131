/** Hooks for vitest that record the lines of each case. */
import { createRequire } from 'node:module';
import { afterEach, beforeEach } from 'vitest';

const lines = createRequire(import.meta.url)('./lines.cjs');

function nameOf(task) {
  const names = [];
  // the outermost suite is the file, which is not part of the name
  for (let at = task; at && at !== task.file; at = at.suite) names.unshift(at.name);
  return names.join(' ');
}

lines.start();
beforeEach(({ task }) => lines.begin(task.file.filepath));
afterEach(({ task }) => lines.end(task.file.filepath, nameOf(task)));
