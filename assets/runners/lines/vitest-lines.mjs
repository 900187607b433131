/** Starts the project's vitest with its own configuration and one more set-up file, which records lines. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const own = createRequire(`${process.cwd()}/package.json`);
const { createVitest, parseCLI } = await import(pathToFileURL(own.resolve('vitest/node')).href);
const { filter, options } = parseCLI(['vitest', ...process.argv.slice(2)]);
const setup = fileURLToPath(new URL('./lines-vitest.mjs', import.meta.url));
const vitest = await createVitest('test', options, { test: { setupFiles: [setup] } });
// vitest adds source maps to modules only if a debugger may attach
for (const { config } of [vitest, ...vitest.projects])
  if (config.inspector) config.inspector.openInMainProcess = true;
await vitest.start(filter);
await vitest.close();
