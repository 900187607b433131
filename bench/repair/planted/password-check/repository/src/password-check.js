const common = new Set(['password', '12345678', 'qwertyui', 'letmein1']);

/** The longest run of the same character. */
export function longestRepeat(text) {
  let best = 0;
  let run = 0;
  for (let i = 0; i < text.length; i += 1) {
    run = i > 0 && text[i] === text[i - 1] ? run + 1 : 1;
    best = Math.max(best, run);
  }
  return best;
}

/** How many kinds of characters a text has: small, capital, digit, other. */
export function kindsOf(text) {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];
  return kinds.filter(kind => kind.test(text)).length;
}

/** What is wrong with a password, in a fixed order; an empty list if nothing is. */
export function problemsOf(password, { name = '', least = 8 } = {}) {
  const problems = [];
  if (password.length < least) problems.push('short');
  if (password.length > 64) problems.push('long');
  if (kindsOf(password) < 3 && password.length < 16) problems.push('simple');
  if (longestRepeat(password) > 3) problems.push('repeats');
  if (common.has(password.toLowerCase())) problems.push('common');
  if (name !== '' && password.toLowerCase().includes(name.toLowerCase())) problems.push('name');
  return problems;
}

/** From 0 to 4. */
export function strength(password) {
  if (problemsOf(password).length > 0) return 0;
  const points = kindsOf(password) + Math.floor((password.length - 8) / 4);
  return Math.min(4, Math.max(1, points - 1));
}
