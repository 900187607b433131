/** Runs inside the sandbox: prints the test files that the project's own uvu finds for its arguments, as one line of JSON. */
const { createRequire } = require('node:module');
const { relative, sep } = require('node:path');

const root = process.cwd();
const aliases = { b: 'bail', i: 'ignore', r: 'require', C: 'cwd', c: 'color' };
const valued = ['ignore', 'require', 'cwd'];

/** The options as lists of values, and the other words. */
function readWords(words) {
  const options = {};
  const others = [];
  for (let i = 0; i < words.length; i++) {
    const [, name, value] = /^--?([^=]+)(?:=(.*))?$/.exec(words[i]) ?? [];
    if (name === undefined) {
      others.push(words[i]);
      continue;
    }
    const long = aliases[name] ?? name;
    const given = value ?? (valued.includes(long) ? words[++i] : 'true');
    options[long] = [...(options[long] ?? []), given];
  }
  return { options, others };
}

async function read() {
  const { options, others } = readWords(process.argv.slice(2));
  const { parse } = createRequire(`${root}/package.json`)('uvu/parse');
  const [cwd = '.'] = options.cwd ?? [];
  const { suites } = await parse(others[0], others[1], { cwd, ignore: options.ignore ?? [] });
  const files = suites.map(s => relative(root, s.file).replaceAll(sep, '/'));
  return { options, files };
}

void read().then(answer => process.stdout.write(`\n${JSON.stringify(answer)}\n`));
