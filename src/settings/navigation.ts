/** Settings of the navigation: the repository map and language servers. */
import { choice, setting, wholeNumber } from './setting.ts';

export const navigationSettings = {
  languageServers: setting(choice(['auto', 'off']), {
    key: 'navigation.languageServers',
    default: 'auto',
    description:
      'auto: find code with a language server if one is installed, otherwise with the symbol index. off: use only the symbol index.',
  }),
  mapBytes: setting(wholeNumber(0, 20_000), {
    key: 'navigation.mapBytes',
    default: 1500,
    description: 'Maximum bytes of the repository map in the first prompt. 0 leaves it out.',
  }),
} as const;
