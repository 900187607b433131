/**
 * Runs inside the sandbox: prints what the project's own mocha makes of its arguments, its configuration files and
 * package.json, as one line of JSON with the options and the test files.
 */
const { createRequire } = require('node:module');
const { relative, sep } = require('node:path');

const root = process.cwd();
const own = createRequire(`${root}/package.json`);

/** A part of mocha's command line; its ending depends on the version. */
function part(name) {
  try {
    return own(`mocha/lib/cli/${name}.cjs`);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return own(`mocha/lib/cli/${name}.js`);
  }
}

const listOf = value => (value === undefined ? [] : [value].flat());
const { _: given, ...options } = part('options').loadOptions(process.argv.slice(2));
const collected = part('collect-files')({
  ignore: listOf(options.ignore),
  extension: listOf(options.extension),
  file: listOf(options.file),
  recursive: options.recursive === true,
  sort: options.sort === true,
  spec: given.length > 0 ? given : ['./test'],
});
const files = (collected.files ?? collected).map(path => relative(root, path).replaceAll(sep, '/'));
process.stdout.write(`\n${JSON.stringify({ options, files })}\n`);
