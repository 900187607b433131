const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

function checkBase(base) {
  if (!Number.isInteger(base) || base < 2 || base > 36) throw new RangeError(`no base ${base}`);
}

/** A whole number written in a base from 2 to 36. */
export function toBase(value, base) {
  checkBase(base);
  if (value === 0) return '0';
  let text = '';
  for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / base)) {
    text = digits[rest % base] + text;
  }
  return value < 0 ? `-${text}` : text;
}

/** The whole number that a text stands for in a base. */
export function fromBase(text, base) {
  checkBase(base);
  const [, sign, body] = /^(-?)(.+)$/.exec(text) ?? [];
  if (body === undefined) throw new SyntaxError('no digits');
  let value = 0;
  for (const digit of body.toLowerCase()) {
    const worth = digits.indexOf(digit);
    if (worth < 0 || worth >= base) throw new SyntaxError(`no digit ${digit}`);
    value = value * base + worth;
  }
  return sign === '-' ? -value : value;
}
