/** Minutes since midnight of a time of day such as "09:30". */
export function minutes(time) {
  const [hours, rest] = time.split(':').map(Number);
  return hours * 60 + rest;
}

/** Bookings as [start, end) in minutes, merged where they overlap or touch, in order. */
export function mergeBookings(bookings) {
  const merged = [];
  for (const [start, end] of bookings.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) {
      last[1] = Math.max(last[1], end);
    } else {
      merged.push([start, end]);
    }
  }
  return merged;
}

/** The free times between two hours of the day that are at least so many minutes long. */
export function freeSlots(bookings, [open, close], atLeast = 1) {
  const slots = [];
  let from = open;
  for (const [start, end] of mergeBookings(bookings)) {
    if (start - from >= atLeast && start <= close) slots.push([from, start]);
    from = Math.max(from, end);
  }
  if (close - from >= atLeast) slots.push([from, close]);
  return slots;
}
