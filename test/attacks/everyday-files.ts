/** Files that people change every day: none of them is refused, and each comes out as it was written. */
import { type Benign, throughAction } from './attack.ts';
import { openPaths } from './closed-paths.ts';
import { writing } from './paths.ts';

const paths = (name: string, files: readonly string[]): Benign => ({
  id: `files/${name.replaceAll(' ', '-')}`,
  play: async setup => {
    let refused: string | null = null;
    await throughAction(
      setup,
      { script: writing(files, 'as everyday\n') },
      ({ outcome, github }) => {
        const written = new Set(outcome.patch.files.map(f => f.path));
        const missing = files.find(path => !written.has(path));
        if (missing !== undefined) refused = `${missing}: ${outcome.code}`;
        else if (github.state.pulls.size !== 1) refused = `no pull request: ${outcome.code}`;
        return null;
      },
    );
    return refused;
  },
});

export const everydayFiles: readonly Benign[] = Object.entries(openPaths).map(([name, files]) =>
  paths(name, files),
);
