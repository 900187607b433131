/** `photon demo`: the demonstration. */
import { playDemonstration } from '../../demo/demonstration.ts';
import { command } from '../command.ts';

export const demo = command({
  options: {},
  usage: [
    [
      '',
      '',
      async (_, { env, root, now, signal, print }) => {
        await playDemonstration({ env, root, now, signal, say: line => print(`${line}\n`) });
        return 0;
      },
    ],
  ],
  examples: ['photon demo'],
});
