/** Attacks through the .git folder of an untrusted repository: configuration, hooks, and the programs that they name. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AtTerminal, attackAtTerminal, runTask, startAtTerminal } from './at-terminal.ts';
import { type Attack, type Benign, running, textOf } from './attack.ts';

const flow = [
  'tasks:',
  '  - id: only',
  '    prompt: Write docs/only.md.',
  '    verify: none',
  '    outputs: [{ description: A text, path: docs/only.md }]',
  '',
].join('\n');

interface Row {
  readonly name: string;
  readonly attack: string;
  /** Files of the repository. */
  readonly files?: Readonly<Record<string, string>>;
  /** The configuration, by a shell line that leaves the mark. */
  readonly config: (line: string, repo: string) => string;
}

const filtered = { '.gitattributes': '* filter=own\n' };
const filter = (line: string) => `\tsmudge = ${line}; cat\n\tclean = ${line}; cat\n`;

const rows: readonly Row[] = [
  {
    name: 'filter',
    attack: 'A filter in the configuration',
    files: filtered,
    config: line => `[filter "own"]\n${filter(line)}`,
  },
  {
    name: 'include-if-work-tree',
    attack: 'A filter in a file that is included only in work trees',
    files: filtered,
    config: (line, repo) => {
      writeFileSync(join(repo, '.git', 'more'), `[filter "own"]\n${filter(line)}`);
      return '[includeIf "gitdir:**/worktrees/**"]\n\tpath = more\n';
    },
  },
  {
    name: 'process-filter',
    attack: 'A required filter process',
    files: filtered,
    config: line => `[filter "own"]\n\tprocess = ${line}\n\trequired = true\n`,
  },
  {
    name: 'fsmonitor',
    attack: 'A file system monitor',
    config: line => `[core]\n\tfsmonitor = ${line}; false\n`,
  },
  {
    name: 'signatures',
    attack: 'A program that checks signatures, for every commit that is listed',
    config: (line, repo) => {
      const program = join(repo, '.git', 'gpg');
      writeFileSync(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
      return `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${program}\n`;
    },
  },
  {
    name: 'hooks',
    attack: 'Hooks of every name',
    config: (line, repo) => {
      const folder = join(repo, '.git', 'hooks');
      mkdirSync(folder, { recursive: true });
      for (const name of ['post-checkout', 'reference-transaction', 'post-index-change'])
        writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
      return `[core]\n\thooksPath = ${folder}\n`;
    },
  },
  {
    name: 'text-conversion',
    attack: 'A text conversion of every file',
    files: { '.gitattributes': '* diff=own\n' },
    config: line => `[diff "own"]\n\ttextconv = ${line}; cat\n\tcommand = ${line}\n`,
  },
];

const ways: Readonly<Record<'workflow' | 'run', Pick<AtTerminal, 'args'>>> = {
  workflow: { args: repo => ['workflow', 'run', 'one', '--repo', repo, '--sandbox', 'required'] },
  run: { args: repo => runTask(repo) },
};

const workflowFile = { '.photon/workflows/one.yml': flow };

const attacksOf = ({ name, attack, files = {}, config }: Row): readonly Attack[] =>
  (Object.keys(ways) as (keyof typeof ways)[]).map(way => ({
    id: `git/${way}-${name}`,
    attack: `${attack}, in the git folder of a repository that photon ${way} works on`,
    wall: 'Photon reads and writes files through its own private git folder',
    codes: ['ABSTAINED', 'exit 1', 'WORKFLOW_OUTPUT_MISSING'],
    play: setup => {
      const mark = join(setup.folder, 'mark');
      return attackAtTerminal(
        setup,
        {
          ...ways[way],
          script: running('true'),
          files: { ...workflowFile, ...files },
          cloned: repo => appendFileSync(join(repo, '.git', 'config'), config(`: > ${mark}`, repo)),
        },
        () => (textOf(mark) === undefined ? undefined : 'a command of the configuration ran'),
      );
    },
  }));

/** Whose files the model is shown as the repository's. */
const workTreeElsewhere: Attack = {
  id: 'git/work-tree-elsewhere',
  attack: 'core.worktree sets the home folder as the work tree of the repository',
  wall: 'The work tree is always the folder that contains .git',
  codes: ['GIT'],
  play: setup => {
    const secret = 'a-diary-of-many-years';
    return attackAtTerminal(
      setup,
      {
        script: running('cat diary.txt'),
        cloned: repo => {
          writeFileSync(join(setup.folder, 'home', 'diary.txt'), secret);
          const home = join(setup.folder, 'home');
          appendFileSync(join(repo, '.git', 'config'), `[core]\n\tworktree = ${home}\n`);
        },
      },
      ({ modelInput }) => (modelInput.includes(secret) ? 'a file of the home folder' : undefined),
    );
  },
};

export const gitFolders: readonly Attack[] = [...rows.flatMap(attacksOf), workTreeElsewhere];

/** A usual configuration does not stop a run, and its files are as they are committed. */
const usual = (name: string, config: string): Benign => ({
  id: `git/${name}`,
  play: async setup => {
    const end = await startAtTerminal(setup, {
      script: running('echo it-w""orked'),
      cloned: repo => appendFileSync(join(repo, '.git', 'config'), config),
    });
    return end.modelInput.includes('it-worked') ? undefined : `${name}: ${end.ended}: ${end.err}`;
  },
});

export const everydayGit: readonly Benign[] = [
  usual(
    'lfs',
    '[filter "lfs"]\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n',
  ),
  usual('hooks-path', '[core]\n\thooksPath = .husky\n'),
  usual('signing', '[commit]\n\tgpgSign = true\n[gpg]\n\tformat = ssh\n'),
  usual('include', '[include]\n\tpath = ~/.gitconfig-work\n'),
];
