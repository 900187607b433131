/** Plain text with markup in it, as Markdown that shows it. */
export function escaped(text: string): string {
  const markup = /<!\[CDATA\[|\]\]\]\]><!\[CDATA\[>|\]\]>|&\w+;|&#number;|[<&]/g;
  return text.replaceAll('|', '\\|').replace(markup, found => `\`${found}\``);
}
