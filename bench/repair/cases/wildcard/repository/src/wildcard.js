/**
 * True when the whole name fits the pattern: `*` stands for any run of characters,
 * also an empty one, `?` for exactly one, `\` takes the next character as it is.
 */
export function matches(pattern, name) {
  return matchFrom(readPattern(pattern), 0, name, 0);
}

/** The pattern as a list of steps: a kind and, for literals, the character. */
function readPattern(pattern) {
  const steps = [];
  for (let i = 0; i < pattern.length; i += 1) {
    if (pattern[i] === '*') steps.push({ kind: 'any' });
    else if (pattern[i] === '?') steps.push({ kind: 'one' });
    else {
      if (pattern[i] === '\\' && i + 1 < pattern.length) i += 1;
      steps.push({ kind: 'literal', character: pattern[i] });
    }
  }
  return steps;
}

function matchFrom(steps, at, name, position) {
  if (at === steps.length) return position === name.length;
  const step = steps[at];
  if (step.kind === 'any') {
    for (let end = position; end <= name.length; end += 1) {
      if (matchFrom(steps, at + 1, name, end)) return true;
    }
    return false;
  }
  if (position === name.length) return false;
  if (step.kind === 'literal' && name[position] !== step.character) return false;
  return matchFrom(steps, at + 1, name, position + 1);
}

/** The names that fit at least one of the patterns. */
export function select(names, patterns) {
  return names.filter(name => patterns.some(pattern => matches(pattern, name)));
}
