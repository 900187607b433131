/** A whole number within the bounds of its field. */
function parseNumber(text, low, high) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high) throw new RangeError(`bad value ${text}`);
  return value;
}

/**
 * The values that a field of a cron line stands for, sorted: a star, "5", "1-5",
 * "0-30/10" or a star with a step, and lists of these with commas.
 */
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
