/** The part of a manifest that configures tests. Pure. */

/** These keys of a JSON text; the whole text if it cannot be read. */
export const pickKeys = (keys: readonly string[]) => (text: string) => {
  try {
    const data = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(Object.fromEntries(keys.map(k => [k, data?.[k]])));
  } catch {
    return JSON.stringify({ unreadable: text });
  }
};

/** The sections of an INI or TOML text whose heading matches. */
export const pickSections = (heading: RegExp) => (text: string) =>
  text
    .split(/^(?=\[)/m)
    .filter(s => heading.test(s))
    .join('');
