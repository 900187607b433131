/** What decides in a run: configuration, constitution and skills, read from the trusted ref alone. */
import { type Constitution, mergeConstitution, parseConstitution } from '../guard/constitution.ts';
import { digest } from '../session/ledger.ts';
import type { Shipped } from '../session/shipped.ts';
import type { TrustedFiles } from '../session/trusted-files.ts';
import {
  type Config,
  type InputRecord,
  inputs,
  parseConfig,
  parseSettings,
  type Settings,
} from '../settings.ts';
import { loadSkills } from '../skills/load.ts';
import type { Skill } from '../skills/skill.ts';
import { type Profile, parseProfile } from './prompt.ts';

export interface Law {
  readonly settings: Settings;
  readonly constitution: Constitution;
  /** sha256 over the texts that the constitution in force was made from. */
  readonly constitutionSha256: string;
  readonly skills: readonly Skill[];
  readonly profile: Profile;
}

/**
 * Settings from inputs and the trusted configuration.
 * @throws PhotonError `CONFIG_INVALID`, `SETTING_INVALID`, `PRICE_UNKNOWN`.
 */
export async function loadSettings(given: InputRecord, trusted: TrustedFiles): Promise<Settings> {
  const path = given.config?.trim() || inputs.config.default;
  const text = await readText(trusted, path);
  const config: Config = text === null ? {} : parseConfig(text, path);
  return parseSettings(given, config);
}

/**
 * Everything else that decides.
 * @throws PhotonError `CONSTITUTION_*`, `SKILL_INVALID`, `PROMPT_INVALID`.
 */
export async function loadLaw(
  settings: Settings,
  trusted: TrustedFiles,
  shipped: Shipped,
): Promise<Law> {
  const own = await readText(trusted, 'constitution.md');
  const base = parseConstitution(shipped.constitution, 'constitution/photon.md');
  const constitution = own === null ? base : mergeConstitution(base, own, 'constitution.md');
  const read = (path: string) => readText(trusted, path);
  const skills = await loadSkills(settings.skillRoots, {
    bundled: shipped.skills(),
    list: trusted.list,
    read,
  });
  return {
    settings,
    constitution,
    constitutionSha256: digest(
      own === null ? shipped.constitution : `${shipped.constitution}\0${own}`,
    ),
    skills,
    profile: parseProfile(shipped.profile, 'prompts/photon.json'),
  };
}

async function readText(trusted: TrustedFiles, path: string): Promise<string | null> {
  const bytes = await trusted.read(path);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
}
