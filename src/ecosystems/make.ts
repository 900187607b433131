/** Make and other builds, shell and Perl: what belongs to no language alone. */
import type { Ecosystem } from './ecosystem.ts';
import type { ProjectFolder } from './shared/project-files.ts';
import type { Commands, ToolRow } from './shared/tool-row.ts';

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

/** A recipe of just, or a task of task (https://just.systems, https://taskfile.dev). */
const recipe = (
  tool: string,
  { file, name }: { readonly file: RegExp; readonly name: RegExp },
): ToolRow => ({
  tool,
  ecosystem: 'any',
  shownBy: `a ${tool === 'just' ? 'recipe' : 'task'} \`test\` of ${tool}`,
  find: async folder => {
    const because = folder.paths.find(path => file.test(path));
    const text = because === undefined ? '' : ((await folder.read(because)) ?? '');
    return because === undefined || !name.test(text)
      ? undefined
      : { command: `${tool} test`, setup: '', because };
  },
});

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
      recipe('just', { file: /^\.?[Jj]ustfile$/, name: /^test(?: [^:\n]*)?:(?!=)/m }),
      recipe('task', { file: /^[Tt]askfile(?:\.dist)?\.ya?ml$/, name: /^ {2,4}test:/m }),
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
