/** `photon demo`: runs the demo, which is part of the tests and so needs a clone. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PhotonError } from '../../base/codes.ts';
import { parseArguments, takeNone } from '../arguments.ts';
import type { CommandHandler } from '../terminal.ts';

export const demo: CommandHandler = async (args, { root }) => {
  takeNone(parseArguments(args, []).positionals, 'photon demo takes no arguments.');
  const path = join(root, 'test', 'demo.ts');
  const module = (await import(pathToFileURL(path).href).catch((cause: unknown) => {
    throw new PhotonError('DEMO_UNAVAILABLE', undefined, { cause });
  })) as { runDemo: () => Promise<number> };
  return module.runDemo();
};
