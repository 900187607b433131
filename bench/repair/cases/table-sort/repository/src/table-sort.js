/** Order of two cells: numbers by value, text by character, empty cells always last. */
function compareCells(a, b, descending) {
  const emptyA = a === null || a === '';
  const emptyB = b === null || b === '';
  if (emptyA || emptyB) return Number(emptyA) - Number(emptyB);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return descending ? -order : order;
}

/**
 * A sorted copy of a table's rows by several columns, the first named decides first.
 * A column is "name" (ascending) or "-name" (descending).
 */
export function sortTable(rows, columns) {
  const keys = columns.map(column => ({
    name: column.replace(/^-/, ''),
    descending: column.startsWith('-'),
  }));
  return rows.toSorted((a, b) => {
    for (const { name, descending } of keys) {
      const order = compareCells(a[name], b[name], descending);
      if (order !== 0) return order;
    }
    return 0;
  });
}
