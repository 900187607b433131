/** Rows of a CSV text (RFC 4180): fields in quotes may hold commas, line ends and "". */
export function parseCsv(text) {
  const rows = [];
  let row = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[i + 1] === '"') {
        field += '"';
        i += 1;
      } else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ',') {
      row.push(field);
      field = '';
    } else if (character === '\n') {
      row.push(field);
      rows.push(row);
      row = [];
      field = '';
    } else if (character !== '\r') field += character;
  }
  // a text that does not end in a line end has one more row
  if (field !== '' || row.length > 0) {
    row.push(field);
    rows.push(row);
  }
  return rows;
}

/** Rows as records, named by the first row. */
export function parseRecords(text) {
  const [names = [], ...rows] = parseCsv(text);
  return rows.map(row => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])));
}
