/** `photon demo`: runs the demo, which is part of the tests and so needs a clone. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PhotonError } from '../../base/codes.ts';
import { command } from '../command.ts';

export const demo = command({
  about: 'Show a complete run on a sample repository, without key or account.',
  options: {},
  usage: [['', '', (_, { root }) => runDemo(root)]],
  examples: ['photon demo'],
});

async function runDemo(root: string): Promise<number> {
  const path = join(root, 'test', 'demo.ts');
  const module = (await import(pathToFileURL(path).href).catch((cause: unknown) => {
    throw new PhotonError('DEMO_UNAVAILABLE', undefined, { cause });
  })) as { runDemo: () => Promise<number> };
  return module.runDemo();
}
