/** Says where a setting is set that is no input, though somebody names it as one. */
import type { Setting } from './setting.ts';
import { actionInputs, inputs, topics } from './settings.ts';

/** One sentence about a name that the Action has no input for; undefined for an input, and for a name of no setting. */
export function explainMissingInput(name: string): string | undefined {
  if (Object.hasOwn(actionInputs, name)) return undefined;
  const key = findConfigKey(name);
  if (key === undefined && !Object.hasOwn(inputs, name)) return undefined;
  const advice = key === undefined ? 'see docs/settings.md' : `set ${key} in .photon/config.json`;
  return `${name} is no input of the Action: ${advice}.`;
}

/** Key in the configuration of the setting that a name in kebab case names, or undefined. */
export function findConfigKey(name: string): string | undefined {
  for (const { settings } of topics)
    for (const [property, entry] of Object.entries(settings)) {
      const { key, input } = entry as Setting;
      if (key !== undefined && [input, toKebab(property), toKebab(key)].includes(name)) return key;
    }
  return undefined;
}

const toKebab = (name: string) =>
  name.replaceAll('.', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
