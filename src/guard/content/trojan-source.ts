/** Finds added lines that may not be what they look like. */
import { formatCodePoint, hiddenCharactersIn } from './hidden-characters.ts';
import { findLookAlike } from './look-alikes.ts';

interface CodeAround {
  /** Text to search for the word that a look-alike imitates, such as the whole file. Default: the text itself. */
  readonly around?: string;
  /** True for prose, where soft hyphens inside words are legitimate. */
  readonly prose?: boolean;
}

/** Why added lines may not be what they look like: hidden characters, or words that imitate others. */
export function findTrojanSource(
  added: string,
  { around, prose = false }: CodeAround = {},
): readonly string[] {
  const text = prose ? added.replace(/(?<=\p{Ll})\u00ad(?=\p{Ll})/gu, '') : added;
  // many files begin with a byte order mark
  const hidden = hiddenCharactersIn(text.replace(/^\ufeff/, '')).map(h => h.character);
  const isDirection = (c: string) => /\p{Bidi_Control}/u.test(c);
  const direction = hidden.filter(isDirection);
  const unseen = hidden.filter(c => !isDirection(c));
  const alike = findLookAlike(text, around);
  return [
    direction.length > 0
      ? `bidirectional control characters: ${formatNames(direction)}`
      : undefined,
    unseen.length > 0 ? `invisible characters: ${formatNames(unseen)}` : undefined,
    alike === undefined ? undefined : `look-alike letters in ${alike.slice(0, 40)}`,
  ].filter(item => item !== undefined);
}

function formatNames(characters: readonly string[]): string {
  const names = [...new Set(characters.map(formatCodePoint))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ');
}
