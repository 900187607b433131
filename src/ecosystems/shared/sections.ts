/** The part of a manifest that configures tests. Pure. */
import { asObject, tryJson } from '../../base/schema-issue.ts';

/** These keys of a JSON text; the whole text if it cannot be read. */
export const pickKeys = (keys: readonly string[]) => (text: string) => {
  const json = tryJson(text);
  if (json === undefined) return JSON.stringify({ unreadable: text });
  const data = asObject(json.value);
  return JSON.stringify(Object.fromEntries(keys.map(k => [k, data[k]])));
};

/** The sections of an INI or TOML text whose heading matches. */
export const pickSections = (heading: RegExp) => (text: string) =>
  text
    .split(/^(?=\[)/m)
    .filter(s => heading.test(s))
    .join('');
