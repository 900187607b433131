/** Says where a setting is set that is no input, though somebody names it as one, and how a terminal names an input. */
import type { Setting } from './setting.ts';
import { actionInputs, inputs, topics } from './settings.ts';

/** Keys of settings by a name that neither their own nor their key tells. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['fallback-models', 'model.fallbacks'],
  ['trigger-assignee', 'triggers.assignee'],
]);

/** What to do about a setting that no configuration of a repository sets. */
const otherPlaces: ReadonlyMap<string, string> = new Map([
  ['dry-run', 'use the input staged'],
  ['key-exchange-audience', 'write audience=... in the input key-exchange-ids'],
  ['key-exchange-url', 'write url=... in the input key-exchange-ids'],
  ['max-violations', 'it is an option of the terminal alone'],
]);

/** One sentence about a name that the Action has no input for; undefined for an input, and for a name of no setting. */
export function explainMissingInput(name: string): string | undefined {
  if (Object.hasOwn(actionInputs, name)) return undefined;
  const key = findConfigKey(name);
  const advice = otherPlaces.get(name) ?? (key && `set ${key} in .photon/config.json`);
  return advice && `${name} is no input of the Action: ${advice}.`;
}

/** Key in the configuration of the setting that a name in kebab case names, or undefined. */
export function findConfigKey(name: string): string | undefined {
  const other = otherNames.get(name);
  if (other !== undefined) return other;
  for (const { settings } of topics)
    for (const [property, entry] of Object.entries(settings)) {
      const { key, input } = entry as Setting;
      if (key !== undefined && [input, toKebab(property), toKebab(key)].includes(name)) return key;
    }
  return undefined;
}

const toKebab = (name: string) =>
  name.replaceAll('.', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

const inputNames = Object.entries(inputs)
  .flatMap(([name, { githubOnly }]) => (name.includes('-') && !githubOnly ? [name] : []))
  .concat('network(?=(?: to|:) setup)', 'verify(?=: none)')
  .join('|');

/** An input as a word: no part of a path or of another name, and not what a text calls an input itself. */
const word = (names: string) =>
  RegExp(`(?<![\\w/.-]|the input )(${names})(?![\\w/-]|\\.\\w)(?::( ))?`, 'g');

/** A hint as a terminal writes it: there, inputs are options, and no job has steps. */
export function asOptions(hint: string): string {
  return hint
    .replace(/In a job, [^.]*\. At a terminal, (\w)/, (_, first: string) => first.toUpperCase())
    .replace(/ in (?:a step before Photon|an earlier step)/, ' first')
    .replace(/\bmodel(?= and base-url)|(?<=base-url and )model\b/, '--model')
    .replace(/\bset [^.,]*, or at a terminal/, 'set')
    .replace(word('api-key'), 'PHOTON_API_KEY')
    .replace(word(inputNames), '--$1$2');
}
