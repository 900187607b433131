/** Every command of the terminal by its name, with the line about it. */
import { commands } from '../../src/cli/index.ts';

export const everyCommand = await Promise.all(
  [...commands].map(
    async ([name, { about, load }]) => [name, { ...(await load()), about }] as const,
  ),
);
