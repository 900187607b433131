/** What changed in an installed npm package: its changelog since a version, and where the project uses it. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [name, from = ''] = process.argv.slice(2);
if (name === undefined) {
  process.stderr.write('what-changed.mjs PACKAGE [VERSION-BEFORE]\n');
  process.exit(2);
}
const maxChangelog = 12_000;
const maxUses = 60;
const print = text => process.stdout.write(`${text}\n`);

const folder = join('node_modules', name);
if (!existsSync(join(folder, 'package.json'))) {
  print(
    `${name} is not installed: ${folder} is missing. Look at its use in the code, and at the log.`,
  );
  process.exit(1);
}
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
print(`${name} ${manifest.version} is installed. Node.js ${process.version}.`);
if (manifest.engines?.node) print(`It needs Node.js ${manifest.engines.node}.`);
print(
  `Modules: ${manifest.type === 'module' ? 'ES modules' : 'CommonJS unless the file ends in .mjs'}.`,
);
print(`Entry points: ${JSON.stringify(manifest.exports ?? manifest.main ?? 'index.js')}`);

/** Numbers of a version; null if the text holds none. */
function numbers(text) {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return found === null ? null : found.slice(1).map(n => Number(n ?? 0));
}
const isAfter = (a, b) => {
  const at = a.findIndex((n, i) => n !== b[i]);
  return at >= 0 && a[at] > b[at];
};

/** The sections of a changelog about versions after `from`. */
function sectionsSince(text) {
  const before = numbers(from);
  if (before === null) return text;
  const kept = [];
  let keep = true;
  for (const line of text.split(/\r?\n/)) {
    // a version in a heading or at the start of a line begins a section
    const version = /^(?:#{1,4} |[[v\d])/.test(line)
      ? numbers(line.replace(/\(http[^)]*\)/g, ''))
      : null;
    if (version !== null) keep = isAfter(version, before);
    if (keep) kept.push(line);
  }
  return kept.join('\n');
}

const notes = readdirSync(folder).filter(file =>
  /^(?:change(?:log|s)|history|news|release(?:s|-?notes)?|migrat\w*|upgrad\w*)\b/i.test(file),
);
if (notes.length === 0)
  print(
    '\nThe package brings no changelog. Compare its declarations and its README with the use in the code.',
  );
for (const file of notes) {
  const text = sectionsSince(readFileSync(join(folder, file), 'utf8')).trim();
  const breaking = text
    .split('\n')
    .filter(line => /breaking|removed?\b|no longer|drop/i.test(line));
  print(`\n## ${folder}/${file}${from === '' ? '' : ` after ${from}`}`);
  if (breaking.length > 0)
    print(`Lines to read first:\n${breaking.join('\n').slice(0, maxChangelog / 2)}\n`);
  print(text.slice(0, maxChangelog));
  if (text.length > maxChangelog)
    print(`[${text.length - maxChangelog} more characters in the file]`);
}

const code = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
function* files(place) {
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    if (/^(?:node_modules|\.git|\.photon)$/.test(entry.name)) continue;
    const path = place === '.' ? entry.name : `${place}/${entry.name}`;
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile() && code.test(entry.name)) yield path;
  }
}
const quoted = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const specifier = new RegExp(
  `(?:from\\s*|import\\s*\\(?\\s*|require\\s*\\(\\s*|mock\\s*\\(\\s*)(['"])(${quoted}(?:/[^'"]*)?)\\1`,
  'g',
);
const uses = [];
for (const path of files('.'))
  for (const [i, line] of readFileSync(path, 'utf8').split(/\r?\n/).entries())
    for (const match of line.matchAll(specifier))
      uses.push({ path, line: i + 1, text: line.trim(), wanted: match[2] });

print('\n## Uses in the project');
for (const { path, line, text } of uses.slice(0, maxUses))
  print(`${path}:${line}: ${text.slice(0, 200)}`);
if (uses.length === 0)
  print('None in JavaScript or TypeScript. Look into configuration and scripts with grep.');
if (uses.length > maxUses) print(`and ${uses.length - maxUses} more`);

const require = createRequire(pathToFileURL(join(realpathSync('.'), 'package.json')));
for (const wanted of new Set([name, ...uses.map(use => use.wanted)])) {
  const offered = await exportsOf(wanted);
  print(`\n${wanted}: ${offered}`);
}

/** What a module offers now, by loading it. */
async function exportsOf(wanted) {
  try {
    const loaded = await import(pathToFileURL(resolve(require.resolve(wanted))));
    const own = Object.keys(loaded).filter(key => key !== 'default' && key !== 'module.exports');
    const { default: main } = loaded;
    const shown = main === null || main === undefined ? 'no default' : `default: ${typeof main}`;
    const inner = typeof main === 'object' && main !== null ? Object.keys(main) : [];
    return `${shown}; names: ${[...new Set([...own, ...inner])].slice(0, 80).join(', ') || 'none'}`;
  } catch (error) {
    return `cannot be loaded: ${String(error.message).split('\n')[0]}`;
  }
}
