/** "Ada, Bo and Cy". */
export function joinNames(names, word = 'and') {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** Up to `most` names, and how many others there are. */
export function shortList(names, most = 3) {
  if (names.length <= most) return joinNames(names);
  const others = names.length - most;
  return `${names.slice(0, most).join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`;
}

/** The letters of first and last name, at most two. */
export function initials(name) {
  const parts = name.split(/[\s-]+/).filter(part => part !== '');
  const first = parts[0]?.[0] ?? '?';
  const last = parts.length > 1 ? parts.at(-1)[0] : '';
  return (first + last).toUpperCase();
}

/** "Lovelace, Ada" of "Ada Lovelace"; small words belong to the last name. */
export function catalogueName(name) {
  const parts = name.trim().split(/\s+/);
  let at = parts.length - 1;
  while (at > 1 && /^(de|van|von|der|la)$/i.test(parts[at - 1])) at -= 1;
  return at === 0 ? parts[0] : `${parts.slice(at).join(' ')}, ${parts.slice(0, at).join(' ')}`;
}

/** A name that is not taken: "bo", "bo-2", "bo-3". */
export function freeName(wanted, taken) {
  if (!taken.includes(wanted)) return wanted;
  let n = 2;
  while (taken.includes(`${wanted}-${n}`)) n += 1;
  return `${wanted}-${n}`;
}
