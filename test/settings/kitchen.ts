/** One entry more in the table of settings. */
import { choice, setting } from '../../src/settings/setting.ts';
import { topics } from '../../src/settings/settings.ts';

export const added = {
  flavour: setting(choice(['plain', 'vanilla']), {
    input: 'test-flavour',
    key: 'kitchen.flavour',
    default: 'plain',
    description: 'How the result tastes.',
  }),
} as const;

export const more = [...topics, { title: 'Kitchen', settings: added }];
