const special = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['ø', 'o'],
  ['&', ' and '],
]);

/** Plain letters instead of letters with marks: "é" is "e". */
export function plain(text) {
  return [...text.normalize('NFD')]
    .map(character => special.get(character) ?? character)
    .filter(character => !/\p{Mark}/u.test(character))
    .join('');
}

/** A title as part of an address: "Crème & Tea!" is "creme-and-tea". At most `limit` characters. */
export function slugify(title, limit = 40) {
  const words = plain(title).toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > limit) break;
    slug = longer;
  }
  // one word that is too long is cut rather than lost
  return slug === '' && words.length > 0 ? words[0].slice(0, limit) : slug;
}

/** A slug that is not taken yet: "tea", "tea-2", "tea-3". */
export function uniqueSlug(title, taken) {
  const slug = slugify(title);
  let candidate = slug;
  for (let n = 2; taken.includes(candidate); n += 1) candidate = `${slug}-${n}`;
  return candidate;
}
