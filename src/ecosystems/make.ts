/** Make and other builds, and shell: what belongs to no language alone. */
import type { Ecosystem } from './ecosystem.ts';
import type { ProjectFolder } from './shared/project-files.ts';
import type { Commands } from './shared/tool-row.ts';

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

async function findMake(folder: ProjectFolder): Promise<Commands | undefined> {
  const because = makefiles.find(folder.has);
  if (because === undefined) return undefined;
  const text = (await folder.read(because)) ?? '';
  const target = ['test', 'check'].find(t => new RegExp(`^${t}\\s*:(?!=)`, 'm').test(text));
  return target === undefined ? undefined : { command: `make ${target}`, setup: '', because };
}

export const make: Ecosystem = {
  name: 'make',
  detection: {
    manifests: /^(?:GNUmakefile|[Mm]akefile)$/,
    // the last resort: a target that may do anything
    guessed: [
      {
        tool: 'make',
        ecosystem: 'any',
        shownBy: 'a target `test` or `check` of the makefile',
        find: findMake,
      },
    ],
  },
  paths: { '@test-config': [/(^|\/)(Makefile|GNUmakefile)$/] },
  testCode: { libraries: [/^[ \t]*(?:use|import)\s+Test::More\b/m] },
  influence: {
    builds: [/(^|\/)(BUILD(\.bazel)?|WORKSPACE|[Jj]ustfile|Taskfile\.ya?ml|[^/]*\.bzl)$/],
  },
  commands: {
    starts: [/^(bats|busted)\b/, /^bazel(?:isk)? test\b/],
    runners: ['prove', 'bats'],
    loads: [/^(?:-f|--file|--makefile)$/],
    installers: [/apt(?:-get)? (?:update|install)(?: [\w.+-]+)*/],
  },
  runners: [
    {
      runner: 'make',
      nothing: [
        /^make: (?:Nothing to be done for '(?:test|check)'|'(?:test|check)' is up to date)\.$/,
      ],
    },
  ],
};
