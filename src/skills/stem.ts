/** Word stems, by which a task is compared with skills and files. Pure. */

/** The word without its usual English ending. */
export function stemOf(word: string): string {
  const short = word.replace(/(ies|ing|ed|es|s|er|ers|ion|ions|ly)$/, '').replace(/(.)\1$/, '$1');
  return short.length >= 3 ? short : word;
}
