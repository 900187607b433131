/** Settings of the navigation: the repository map and language servers. */
import * as z from 'zod';
import { checkedBy, choice, setting, texts, wholeNumber } from './setting.ts';

interface OwnServer {
  readonly extensions: readonly string[];
  readonly command: readonly string[];
}

const servers = (): z.ZodType<readonly OwnServer[]> =>
  z
    .array(
      z.strictObject({
        extensions: z
          .array(z.string().regex(/^[a-z0-9]{1,16}$/))
          .min(1)
          .max(20)
          .describe('File extensions that the server handles, without the dot.'),
        command: texts(20, 300).min(1).describe('Program and arguments that start the server.'),
      }),
    )
    .max(20);

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
  ownServers: setting(checkedBy(servers), {
    key: 'navigation.servers',
    default: [],
    description:
      'Additional language servers by file extension. They take precedence over the built-in ones.',
  }),
} as const;
