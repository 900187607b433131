/** Packs runs of equal characters: "aaab" is "3ab"; single characters have no count. */
export function pack(text) {
  if (/\d/.test(text)) throw new TypeError('digits cannot be packed');
  let packed = '';
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    count += 1;
    if (text[i] === text[i + 1]) continue;
    packed += count > 1 ? `${count}${text[i]}` : text[i];
    count = 0;
  }
  return packed;
}

/** The text that was packed. */
export function unpack(packed) {
  let text = '';
  let digits = '';
  for (const character of packed) {
    if (character >= '0' && character <= '9') {
      digits += character;
    } else {
      text += character.repeat(digits === '' ? 1 : Number(digits));
      digits = '';
    }
  }
  if (digits !== '') throw new SyntaxError('a count without its character');
  return text;
}

/** How much shorter a text gets: 0 not at all, towards 1 very much. */
export function saving(text) {
  return text === '' ? 0 : 1 - pack(text).length / text.length;
}
