/** TODO, FIXME, HACK and XXX notes below a folder, one JSON line each. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const [root = '.'] = process.argv.slice(2);
const skipped = new Set(
  '.git node_modules vendor dist build target .venv .photon __pycache__'.split(' '),
);
// a note stands behind the mark of a comment, its tag in capitals
const note =
  /(?:\/\/|\/\*|^\s*\*|#|--|;|<!--|%|"""|''').*?\b(TODO|FIXME|HACK|XXX)\b(?:\(([^)]{1,60})\))?\s*[:-]?\s*(.*)$/;
const symbol =
  /^\s*(?:export\s+|pub(?:lic)?\s+|async\s+|static\s+|private\s+)*(?:function|class|def|fn|func|interface|struct|const|type|module)\s+([\w$]+)/;
const heading = /^#+\s+(.+)$/;

function* files(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* files(path);
    else if (entry.isFile() && statSync(path).size < 1_000_000) yield path;
  }
}

for (const path of files(root)) {
  const text = readFileSync(path, 'utf8');
  if (text.includes('\0')) continue;
  let above = '';
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    above = symbol.exec(line)?.[1] ?? heading.exec(line)?.[1] ?? above;
    const [, tag, who = '', words = ''] = note.exec(line) ?? [];
    if (tag === undefined) continue;
    const said = words.replace(/\s*(\*\/|-->)\s*$/, '').trim();
    process.stdout.write(`${JSON.stringify({ path, line: i + 1, tag, who, text: said, above })}\n`);
  }
}
