/** Says where a setting is set that is no input, though somebody names it as one. */
import type { Setting } from './setting.ts';
import { actionInputs, topics } from './settings.ts';

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
