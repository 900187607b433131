/** Runs inside the sandbox: prints what the project's own ava makes of its configuration, as one line of JSON. */
const { realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join, relative, sep } = require('node:path');
const { pathToFileURL } = require('node:url');

const root = process.cwd();

async function read() {
  const entry = createRequire(`${root}/package.json`).resolve('ava');
  const part = name => import(pathToFileURL(join(dirname(dirname(entry)), 'lib', name)).href);
  const { loadConfig } = await part('load-config.js');
  const { normalizeGlobs, findTests } = await part('globs.js');
  const { default: extensionsOf } = await part('extensions.js');
  const loaded = await loadConfig({});
  // version 5 and earlier return it as it is
  const { projectDir, ...options } = loaded.config ?? loaded;
  const extensions = extensionsOf(options.extensions, []);
  const globs = normalizeGlobs({ files: options.files, extensions, providers: [] });
  const found = await findTests({ cwd: root, ...globs });
  const files = found.map(path => relative(root, path).replaceAll(sep, '/')).sort();
  return { options, files, elsewhere: realpathSync(projectDir) !== realpathSync(root) };
}

void read().then(answer => process.stdout.write(`\n${JSON.stringify(answer)}\n`));
