const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** A number of whole seconds as in "1 d 2 h 5 s"; parts that are 0 are left out. */
export function formatDuration(seconds) {
  if (seconds === 0) return '0 s';
  const parts = [];
  let rest = Math.abs(seconds);
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    rest %= size;
  }
  return (seconds < 0 ? '-' : '') + parts.join(' ');
}

/** Whole seconds of a text such as "1:02:03" or "2:03". */
export function parseClock(text) {
  if (!/^\d+(:[0-5]\d){1,2}$/.test(text)) throw new SyntaxError(`not a time: ${text}`);
  return text.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}
