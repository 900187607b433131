const isDigit = c => c !== undefined && c >= '0' && c <= '9';
const isLetter = c => c !== undefined && /[A-Za-z_]/.test(c);

/** Where the run of a number ends: digits with at most one point among them. */
function endOfNumber(text, start) {
  let end = start;
  let points = 0;
  while (isDigit(text[end]) || (text[end] === '.' && points === 0)) {
    if (text[end] === '.') points += 1;
    end += 1;
  }
  return end;
}

/** Where a name ends: letters, then letters or digits. */
function endOfName(text, start) {
  let end = start;
  while (isLetter(text[end]) || isDigit(text[end])) end += 1;
  return end;
}

/** Tokens of an expression: numbers, names and single marks; blanks are left out. */
export function tokenize(text) {
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === ' ') {
      at += 1;
      continue;
    }
    const kind = isDigit(text[at]) ? 'number' : isLetter(text[at]) ? 'name' : 'mark';
    const end =
      kind === 'number' ? endOfNumber(text, at) : kind === 'name' ? endOfName(text, at) : at + 1;
    tokens.push({ kind, text: text.slice(at, end), at });
    at = end;
  }
  return tokens;
}
