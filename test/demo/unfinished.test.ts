import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startModel } from '../doubles/model.ts';
import { discard, makeFolder, root } from '../harness.ts';
import { playsVariants } from '../seed.ts';
import { playDemo } from './play-demo.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => discard(folder));

/** A copy of what ships whose Action is another program. */
function shipAction(program: string): string {
  const at = join(folder, 'shipped');
  mkdirSync(at);
  for (const name of ['assets', 'package.json', 'dist'])
    cpSync(join(root, name), join(at, name), { recursive: true });
  // the terminal is in the same bundle: it stays, and the Action starts from another file
  cpSync(join(at, 'dist', 'index.js'), join(at, 'dist', 'terminal.js'));
  const start = `if (process.argv.length > 2) await import('./terminal.js');\nelse {\n${program}\n}\n`;
  writeFileSync(join(at, 'dist', 'index.js'), start);
  return at;
}

const readLeft = () => readdirSync(join(folder, 'tmp')).filter(n => n.startsWith('photon-demo-'));

describe('photon demo', () => {
  it.runIf(playsVariants)(
    'says in one sentence how a run without a pull request ended',
    async () => {
      const model = await startModel(() => ({
        text: 'No file here is about this. I stop.',
        calls: [{ name: 'abstain', arguments: { reason: 'Nothing here fits.' } }],
      }));
      const run = await playDemo(folder, {
        PHOTON_BASE_URL: model.url,
        PHOTON_API_KEY: 'sk-of-the-demonstration',
        PHOTON_MODEL: 'double',
      });
      await model.close();
      expect(run.out).toContain('The model is double.');
      expect(run.err).toContain('The run ended abstained (');
      expect(run.err).toContain('[DEMO_UNFINISHED]');
      expect(run.code).toBe(1);
    },
  );

  it.each([
    ['is killed', "process.kill(process.pid, 'SIGKILL');", 'was ended by SIGKILL'],
    ...(playsVariants
      ? [
          [
            'dies without an outcome',
            'process.exit(7);',
            'ended with status 7, and without an outcome',
          ],
        ]
      : []),
  ])('says that the Action %s', async (_, program = '', said = '') => {
    const run = await playDemo(folder, {}, { at: shipAction(program) });
    expect(run.err).toContain(said);
    expect(run.err).toContain('[DEMO_UNFINISHED]');
  });

  it('ends at Ctrl-C, and leaves nothing', async () => {
    const run = await playDemo(
      folder,
      {},
      { onOutput: (text, pid) => void (text.includes('Round 1') && process.kill(pid, 'SIGINT')) },
    );
    expect(run.err).toContain('The run was cancelled.');
    expect(run.code).toBe(130);
    expect(readLeft()).toEqual([]);
  });
});
