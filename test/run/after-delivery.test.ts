/** What goes wrong after a result was published: it is told, and changes nothing about how the run ended. */
import { describe, expect, it } from 'vitest';
import { begin, done, look, prove, repair } from '../doubles/sample.ts';
import { sample } from '../seed.ts';
import { play } from './scenario.ts';

const nested = (name: string, count: number) =>
  `node -e 'const fs=require("fs");for(let i=0;i<${count};i++){fs.mkdirSync("${name}");process.chdir("${name}")}'`;

/** Lines that leave a tree, and what it is. */
const trees = [
  ['2,500 nested folders', nested('d', 2500)],
  ['30 nested folders with names of 250 characters', nested('n'.repeat(250), 30)],
  ['folders without permissions', 'mkdir -p a/b/c && echo x > a/b/c/file && chmod 0 a/b/c a/b a'],
] as const;

describe('trees that a command leaves in the checkout, home and /tmp', () => {
  // each is removed in test/workspace/files/remove-folder.test.ts, too
  it.each(sample('trees that are left', trees, 1))(
    '%s: the pull request stands, and nothing is left behind',
    async (_what, line) => {
      const everywhere = `${line}; cd ~ && ${line}; cd /tmp && ${line}; true`;
      await play(
        {
          script: [
            begin,
            look,
            {
              text: 'A command is run to see what it does.',
              calls: [{ name: 'run_command', arguments: { command: everywhere } }],
            },
            repair,
            prove,
            done,
          ],
        },
        ({ outcome, github, log, exitCode }) => {
          expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED', notes: [] });
          expect(exitCode).toBe(0);
          expect(github.state.pulls.size).toBe(1);
          expect(log).not.toContain('could not remove');
        },
      );
    },
  );
});
