// planted
/** The number of pages; one page at least. */
export function pageCount(total, size) {
  return Math.max(1, Math.ceil(total / size));
}

/** The items of a page, counted from 1; a page outside of the list is moved into it. */
export function pageOf(items, page, size) {
  const last = pageCount(items.length, size);
  const at = Math.min(Math.max(page, 1), last);
  const start = (at - 1) * size;
  return { page: at, last, items: items.slice(start, start + size) };
}

/** The pages that a pager shows: first, last, and those around the current one; null for a gap. */
export function shownPages(page, last, around = 1) {
  const shown = [];
  for (let n = 1; n <= last; n += 1) {
    const isNear = Math.abs(n - page) <= around;
    if (n === 1 || n === last || isNear) shown.push(n);
    else if (shown.at(-1) !== null) shown.push(null);
  }
  return shown;
}

/** "11–20 of 35", or "nothing found". */
export function summary(total, page, size) {
  if (total === 0) return 'nothing found';
  const from = (page - 1) * size + 1;
  const to = Math.min(page * size, total);
  return from === to ? `${from} of ${total}` : `${from}–${to} of ${total}`;
}

// tests
pageCount(21, 10) // 3
shownPages(5, 9) // [1, null, 4, 5, 6, null, 9]
shownPages(9, 9) // [1, null, 8, 9]
summary(35, 2, 10) // '11–20 of 35'
summary(35, 4, 10) // '31–35 of 35'
summary(0, 1, 10) // 'nothing found'
// oracle
pageCount(num(0, 30), num(1, 6))
pageOf(many(0, 14, n => n), num(-2, 9), num(1, 6))
shownPages(num(1, 12), num(1, 12), num(0, 3))
shownPages(num(1, 9), num(1, 12))
summary(num(0, 25), num(1, 4), num(1, 6))
// faults
// 19 missing operand: `n === last ||` ► ``
// 20 missing call: `shown.push(null)` ► `null`
// 27 wrong negation: `total === 0` ► `!(total === 0)`
// 28 wrong variable: `page` ► `to`
