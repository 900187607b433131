/** For each beginning of the pattern: the longest proper beginning that is also its end. */
export function borders(pattern) {
  const table = new Array(pattern.length).fill(0);
  let length = 0;
  for (let i = 1; i < pattern.length; i += 1) {
    while (length > 0 && pattern[i] !== pattern[length]) length = table[length - 1];
    if (pattern[i] === pattern[length]) length += 1;
    table[i] = length;
  }
  return table;
}

/** Where the pattern is found in the text (Knuth, Morris, Pratt); finds may overlap. */
export function findAll(text, pattern) {
  if (pattern === '') return [];
  const table = borders(pattern);
  const found = [];
  let matched = 0;
  for (let i = 0; i < text.length; i += 1) {
    while (matched > 0 && text[i] !== pattern[matched]) matched = table[matched - 1];
    if (text[i] === pattern[matched]) matched += 1;
    if (matched === pattern.length) {
      found.push(i - matched + 1);
      matched = table[matched - 1];
    }
  }
  return found;
}

/** How often the pattern is in the text without overlaps. */
export function countApart(text, pattern) {
  let count = 0;
  let free = 0;
  for (const at of findAll(text, pattern)) {
    if (at < free) continue;
    count += 1;
    free = at + pattern.length;
  }
  return count;
}
