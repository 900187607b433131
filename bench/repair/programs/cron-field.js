// held-out
/** A whole number within the bounds of its field. */
function parseNumber(text, low, high) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high) throw new RangeError(`bad value ${text}`);
  return value;
}

/** The values that a field of a cron line stands for, sorted: a star, "5", "1-5", */
export function expandField(field, low, high) {
  const values = new Set();
  for (const part of field.split(',')) {
    const [range, stepText] = part.split('/');
    const step = stepText === undefined ? 1 : parseNumber(stepText, 1, high);
    const [fromText, toText = fromText] = range.split('-');
    const from = range === '*' ? low : parseNumber(fromText, low, high);
    const to = range === '*' ? high : parseNumber(toText, low, high);
    if (from > to) throw new RangeError(`${part} runs backwards`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

/** True when "minute hour" of a cron line holds this time of day. */
export function isDue(line, hour, minute) {
  const [minutes, hours] = line.split(' ');
  return expandField(minutes, 0, 59).includes(minute) && expandField(hours, 0, 23).includes(hour);
}

// tests
expandField('5', 0, 59) // [5]
expandField('3-3', 0, 6) // [3]
expandField('8,1,8', 0, 23) // [1, 8]
expandField('0-30/10', 0, 59) // [0, 10, 20, 30]
isDue('*/30 8-18', 18, 30) // true
isDue('*/30 8-18', 19, 0) // false
// oracle
range = () => pick('*', `${num(0, 10)}`, `${num(0, 6)}-${num(4, 10)}`)
part = () => range() + pick('', '', '/2', '/3', '/0')
expandField(many(1, 3, part).join(','), num(0, 1), num(8, 10))
isDue(`${part()} ${part()}`, num(0, 11), num(0, 11))
// faults
// 16 wrong variable: `high` ► `to`
// 18 off by one: `<=` ► `<`
// 20 wrong arithmetic operator: `-` ► `+`
// 26 wrong boolean operator: `&&` ► `||`
