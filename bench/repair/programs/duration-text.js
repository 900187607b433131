// tuning
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

// tests
formatDuration(3599) // '59 min 59 s'
formatDuration(7325) // '2 h 2 min 5 s'
formatDuration(172_799) // '1 d 23 h 59 min 59 s'
formatDuration(-61) // '-1 min 1 s'
parseClock('1:02:03') // 3723
parseClock('2:03') // 123
// oracle
formatDuration(num(-400_000, 400_000))
formatDuration(pick(0, 1, 59, 60, 359, 360, 3599, 3600, 3601, 86_399, 86_400, 86_401))
parseClock(`${num(0, 30)}:${text('0123456', 2, 2)}${pick('', ':05', ':5')}`)
// faults
// 3 wrong constant: `3_600` ► `360`
// 12 missing statement: `let rest = Math.abs(seconds);` ► ``
// 15 wrong negation: `count > 0` ► `!(count > 0)`
// 18 wrong comparison operator: `<` ► `>=`
