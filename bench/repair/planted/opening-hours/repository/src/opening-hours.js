/** Minutes since midnight of "HH:MM". */
export function minutesOf(text) {
  const [hours, minutes] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

/** "HH:MM" of minutes since midnight. */
export function textOf(minutes) {
  const pad = n => String(n).padStart(2, '0');
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** True if a shop with these hours is open; hours may run over midnight. The closing minute is closed. */
export function isOpen(hours, time) {
  const at = minutesOf(time);
  return hours.some(([from, to]) => {
    const [start, end] = [minutesOf(from), minutesOf(to)];
    return start <= end ? at >= start && at < end : at >= start || at < end;
  });
}

/** Minutes from a time to the next opening; 0 if it is open, -1 if it never opens. */
export function minutesToOpening(hours, time) {
  if (hours.length === 0) return -1;
  if (isOpen(hours, time)) return 0;
  const at = minutesOf(time);
  const waits = hours.map(([from]) => (minutesOf(from) - at + 1440) % 1440);
  return Math.min(...waits);
}

/** All open minutes of a day, for hours that do not overlap. */
export function openMinutes(hours) {
  return hours.reduce((sum, [from, to]) => {
    const length = minutesOf(to) - minutesOf(from);
    return sum + (length < 0 ? length + 1440 : length);
  }, 0);
}

/** The hours as a text; "closed" for none. */
export function describeHours(hours) {
  if (hours.length === 0) return 'closed';
  const sorted = hours.toSorted(([a], [b]) => minutesOf(a) - minutesOf(b));
  return sorted.map(([from, to]) => `${from}–${to}`).join(', ');
}
