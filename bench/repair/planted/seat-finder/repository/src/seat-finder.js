/** A row is a text: "." is a free seat, "x" a taken one, "_" the aisle. */
const isFree = seat => seat === '.';

/** The free blocks of a row as [start, length]. */
export function freeBlocks(row) {
  const blocks = [];
  let start = -1;
  for (let i = 0; i <= row.length; i += 1) {
    if (i < row.length && isFree(row[i])) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      blocks.push([start, i - start]);
      start = -1;
    }
  }
  return blocks;
}

/** Where a group sits in a row: in the tightest block that is large enough; -1 if there is none. */
export function placeIn(row, group) {
  let best = null;
  for (const [start, length] of freeBlocks(row)) {
    if (length < group) continue;
    if (best === null || length < best[1]) best = [start, length];
  }
  return best === null ? -1 : best[0];
}

/** Takes seats of a row. */
export function occupy(row, start, count) {
  return row.slice(0, start) + 'x'.repeat(count) + row.slice(start + count);
}

/** Seats groups in order; each in the first row that has a place. Gives [rows, groups that found none]. */
export function seatGroups(rows, groups) {
  const now = [...rows];
  const refused = [];
  for (const group of groups) {
    const at = now.findIndex(row => placeIn(row, group) >= 0);
    if (at < 0) refused.push(group);
    else now[at] = occupy(now[at], placeIn(now[at], group), group);
  }
  return [now, refused];
}

/** The share of taken seats in percent; aisles do not count. */
export function load(rows) {
  const seats = rows.join('').replaceAll('_', '');
  const taken = [...seats].filter(seat => !isFree(seat)).length;
  return seats === '' ? 0 : Math.round((100 * taken) / seats.length);
}
