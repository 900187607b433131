/** True for a line that says nothing. */
function isBlank(line) {
  return line === '' || line.startsWith(';') || line.startsWith('#');
}

/** A value without the quotes round it. */
function unquote(value) {
  const quoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
  return quoted ? value.slice(1, -1) : value;
}

/** Sections of an INI file, each a record of texts; lines before a section belong to "". */
export function parseIni(text) {
  const sections = { '': {} };
  let current = sections[''];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (isBlank(line)) continue;
    if (line.startsWith('[') && line.endsWith(']')) {
      const name = line.slice(1, -1).trim();
      sections[name] ??= {};
      current = sections[name];
      continue;
    }
    const at = line.indexOf('=');
    if (at < 1) throw new SyntaxError(`line ${index + 1} is no setting`);
    current[line.slice(0, at).trim()] = unquote(line.slice(at + 1).trim());
  }
  return sections;
}
