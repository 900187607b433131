/** Attacks on the command line: what it reads, where it writes, and what it prints. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentFs } from '../../src/workspace/session/agentfs.ts';
import { openSessionStore } from '../../src/workspace/session/session-store.ts';
import { type AtTerminal, attackAtTerminal, startAtTerminal } from './at-terminal.ts';
import type { Attack, Benign, Setup } from './attack.ts';

const esc = '\u001b';
/** What a terminal would carry out, and what a runner would. */
const harms = [
  { name: 'title', text: `${esc}]0;taken over\u0007`, is: /\u001b\]/ },
  { name: 'clear', text: `${esc}[2J${esc}[H`, is: /\u001b\[/ },
  { name: 'c1', text: '\u009b2J', is: /\u009b/ },
  { name: 'clipboard', text: `${esc}]52;c;cm0gLXJmIH4=\u0007`, is: /\u001b\]/ },
  { name: 'overwrite', text: 'refused\rallowed', is: /\r(?!\n)/ },
  { name: 'backspace', text: 'no\b\byes', is: /\u0008/ },
  { name: 'bidi', text: 'safe\u202eexe.fdp', is: /\u202e/ },
  { name: 'command', text: '\n::set-output name=status::committed\n', is: /^\s*::set-output/m },
  { name: 'command-v1', text: '##[set-env name=PATH]/evil', is: /##\[set-env/ },
] as const;

const inert = 'The command line removes control characters and workflow commands from its output';

/** A place of foreign text, and the command that shows it. */
interface Shown {
  readonly name: string;
  readonly what: string;
  readonly at: (text: string, setup: Setup) => AtTerminal;
}

/** A session's file of a run, made by the real store, changed afterwards. */
function forge(setup: Setup, change: (fs: AgentFs) => void): string {
  const path = join(setup.folder, 'session.db');
  const store = openSessionStore(path, {
    run: 'forged',
    agent: 'photon',
    commit: 'c'.repeat(40),
    tree: 'd'.repeat(40),
  });
  const bytes = Buffer.from('one\n');
  store.record(
    {
      phase: 'PATCH',
      tool: 'apply_patch',
      decision: 'pass',
      code: null,
      paths: ['a.txt'],
      arguments: '',
      content: '',
      durationMs: 1,
    },
    {
      changed: [{ path: 'a.txt', before: undefined, after: { mode: '100644', bytes } }],
      backups: [],
      steps: 1,
    },
    { startedAt: 0, endedAt: 0 },
  );
  store.close();
  const fs = new AgentFs(path);
  change(fs);
  fs.close();
  return path;
}

const places: readonly Shown[] = [
  {
    name: 'workflow-name',
    what: 'The name of a workflow',
    at: text => ({ args: repo => ['workflow', 'status', text, '--repo', repo] }),
  },
  {
    name: 'task-id',
    what: 'A tool of a forged session',
    at: (text, setup) => {
      const file = forge(setup, fs => fs.run('UPDATE tool_calls SET name = ?', text));
      return { args: () => ['show', '--session', file] };
    },
  },
  {
    name: 'config',
    what: 'A key of the configuration of a clone',
    at: text => ({
      files: { '.photon/config.json': JSON.stringify({ [text]: 1 }) },
      args: repo => ['validate', '--repo', repo],
    }),
  },
  {
    name: 'ledger',
    what: 'The text of a forged ledger',
    at: (text, setup) => {
      const file = join(setup.folder, 'ledger.jsonl');
      writeFileSync(file, `${JSON.stringify({ run: text, tool: text })}\n${text}\n`);
      return { args: () => ['audit', file, '--head', text] };
    },
  },
  {
    name: 'record',
    what: 'The command of a record that is replayed',
    at: (text, setup) => {
      const file = join(setup.folder, 'replies.jsonl');
      const header = { format: '1', run: text, prompt: text, context: [], askedBy: '' };
      const inputs = { 'test-command': `true ${text}` };
      writeFileSync(file, `${JSON.stringify({ ...header, inputs })}\n`);
      writeFileSync(join(setup.folder, 'ledger.jsonl'), '');
      return { args: repo => ['replay', file, '--repo', repo] };
    },
  },
  {
    name: 'patch-on-a-runner',
    what: 'A file in the patch of a session that a job shows',
    at: (text, setup) => {
      const file = forge(setup, fs => fs.run('UPDATE fs_data SET data = ?', Buffer.from(text)));
      return {
        args: () => ['show', '--session', '--patch', file],
        env: () => ({ GITHUB_ACTIONS: 'true' }),
      };
    },
  },
];

const prints = ({ name, what, at }: Shown): readonly Attack[] =>
  harms.map(harm => ({
    id: `terminal/${name}-${harm.name}`,
    attack: `${what} contains ${harm.name === 'bidi' ? 'a direction override' : `control characters (${harm.name})`}`,
    wall: inert,
    codes: [
      'WORKFLOW_MISSING',
      'CONFIG_INVALID',
      'REPLAY_COMMANDS',
      'exit 0',
      'exit 1',
      'SESSION_INVALID',
      'LEDGER_UNREADABLE',
    ],
    play: setup => {
      const given = at(harm.text, setup);
      const env = (repo: string) => ({
        ...(harm.name.startsWith('command') ? { GITHUB_ACTIONS: 'true' } : {}),
        ...given.env?.(repo),
      });
      return attackAtTerminal(setup, { ...given, env }, ({ out, err }) =>
        harm.is.test(`${out}\n${err}`) ? harm.name : undefined,
      );
    },
  }));

/** A session that would write where no patch may. */
const forged = (name: string, attack: string, change: (fs: AgentFs) => void): readonly Attack[] =>
  (['show', 'patch', 'json'] as const).map(form => ({
    id: `session/${name}-${form}`,
    attack: `${attack}, and the user runs photon show --session${form === 'show' ? '' : ` --${form}`}`,
    wall: 'Every path, mode and id of a session file is checked before it is used',
    codes: ['SESSION_INVALID'],
    play: setup => {
      const file = forge(setup, change);
      const flags = form === 'show' ? [] : [`--${form}`];
      return attackAtTerminal(
        setup,
        { args: repo => ['show', '--session', file, '--repo', repo, ...flags] },
        ({ code, out }) => {
          if (code === undefined) return 'it never ended';
          return /\.\.\/|\.git\/|\/etc\/|planted/i.test(out)
            ? 'a patch outside the repository'
            : undefined;
        },
      );
    },
  }));

const renameTo = (path: string) => (fs: AgentFs) => {
  fs.run('DELETE FROM photon_base');
  fs.run("UPDATE fs_dentry SET name = ? WHERE name = 'a.txt'", path);
};
const baseAt = (path: string) => (fs: AgentFs) =>
  fs.run('INSERT INTO photon_base (path, mode, data) VALUES (?, NULL, NULL)', path);

const forgeries: readonly Attack[] = [
  ...forged('climbs', 'A session names ../planted', renameTo('../planted')),
  ...forged('git-hook', 'A session names .git/hooks/planted', baseAt('.git/hooks/planted')),
  ...forged('git-spelling', 'A session names .GIT./hooks/planted', baseAt('.GIT./hooks/planted')),
  ...forged('cycle', 'A folder of a session contains itself', fs => {
    fs.writeFile('deep/planted', { mode: '100644', bytes: Buffer.from('x') }, 0);
    const [deep] = fs.all("SELECT ino FROM fs_dentry WHERE name = 'deep'");
    fs.run(
      "INSERT INTO fs_dentry (name, parent_ino, ino) VALUES ('again', ?1, ?1)",
      Number(deep?.ino),
    );
  }),
  ...forged('endless-view', 'A table of a session is a view that never ends', fs => {
    fs.exec('ALTER TABLE fs_whiteout RENAME TO hidden');
    fs.exec(
      "CREATE VIEW fs_whiteout AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT '/planted' || i AS path FROM n",
    );
  }),
  ...forged('mode', 'The mode of a file contains part of a patch', fs =>
    fs.run("UPDATE photon_base SET mode = '100644\n+++ b/../planted'"),
  ),
];

/** A link in a clone that leads somewhere else on the machine. */
interface Link {
  readonly name: string;
  readonly attack: string;
  readonly at: string;
  readonly args: (repo: string) => readonly string[];
  readonly codes: readonly string[];
  readonly given?: Pick<AtTerminal, 'cloned'>;
}

const writesOut = ({ name, attack, at, args, codes }: Link): Attack => ({
  id: `links/${name}`,
  attack,
  wall: 'Photon writes to a checkout only through real folders, never through links',
  codes,
  play: setup => {
    const outside = join(setup.folder, 'outside');
    mkdirSync(outside);
    const before = readdirSync(outside).length;
    return attackAtTerminal(
      setup,
      {
        cloned: repo => {
          mkdirSync(dirname(join(repo, at)), { recursive: true });
          // a file that is not there yet, or the folder itself
          const target = /\.\w+$/.test(at.slice(1)) ? join(outside, 'new-file') : outside;
          symlinkSync(target, join(repo, at));
        },
        args,
      },
      () => (readdirSync(outside).length > before ? 'a file outside of the checkout' : undefined),
    );
  },
});

const init = (repo: string) => ['init', '--repo', repo];
const linkedWrites: readonly Attack[] = [
  ...[
    '.github',
    '.github/workflows',
    '.github/workflows/photon.yml',
    '.photon',
    '.photon/config.json',
    'constitution.md',
  ].map(at =>
    writesOut({
      name: `init-${at.replace(/\W+/g, '-')}`,
      at,
      args: init,
      codes: ['DISK'],
      attack: `photon init in a clone whose ${at} is a link`,
    }),
  ),
  ...['.photon/memory', '.photon/memory/records.db', '.photon/memory/.gitignore'].map(at =>
    writesOut({
      name: `memory-${at.replace(/\W+/g, '-')}`,
      at,
      args: repo => [
        'run',
        '--repo',
        repo,
        '--task',
        'Note it.',
        '--memory',
        'yolo',
        '--model',
        'builtin',
      ],
      codes: [
        'DISK',
        'TASK_NOT_MATCHED',
        'exit 0',
        'exit 1',
        'ABSTAINED',
        'MODEL_MISSING',
        'BUILTIN_TASK',
      ],
      attack: `photon run with records in a clone whose ${at} is a link`,
    }),
  ),
];

/** A rule that the repository seems to have, by a link. */
const linkedRule = (at: string, target: string, codes: readonly string[]): Attack => ({
  id: `links/rule-${at.replace(/\W+/g, '-')}-${target.replace(/\W+/g, '-')}`,
  attack: `${at} is a link to ${target}, so that people see a rule that Photon does not read`,
  wall: 'A constitution or configuration that is a link ends the run; it is not ignored',
  codes,
  play: setup => {
    // the rule forbids every patch; a run that gets a patch has left it out
    const rule = '---\nprotected_paths: ["src/**"]\n---\n';
    return attackAtTerminal(
      setup,
      {
        files: {
          'docs/rules.md': rule,
          'docs/config.json': '{}',
          [at]: { mode: '120000', content: target },
        },
        args: repo => ['validate', '--repo', repo],
      },
      ({ code }) => (code === 0 ? 'a rule was left out' : undefined),
    );
  },
});

/** What is no file where a file is named. */
const kinds = {
  pipe: (path: string) => execFileSync('mkfifo', [path]),
  folder: (path: string) => mkdirSync(path),
  device: (path: string) => symlinkSync('/dev/zero', path),
  terminal: (path: string) => symlinkSync('/dev/stdin', path),
} as const;

const named = {
  audit: (file: string) => ['audit', file],
  replay: (file: string) => ['replay', file],
  'session-show': (file: string) => ['show', '--session', file],
  'session-patch': (file: string) => ['show', '--session', '--patch', file],
} as const;

const noFiles: readonly Attack[] = Object.entries(named).flatMap(([command, args]) =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).map(kind => ({
    id: `files/${command}-${kind}`,
    attack: `photon ${command.replace('-', ' ')} is given a ${kind} in place of a file`,
    wall: 'Only regular files of up to 256 MB are read',
    codes: ['FILE_UNREADABLE', 'USAGE'],
    play: (setup: Setup) => {
      // photon show takes any other name for that of a run
      const file = join(setup.folder, 'given.db');
      kinds[kind](file);
      writeFileSync(join(setup.folder, 'ledger.jsonl'), '');
      return attackAtTerminal(setup, { args: () => args(file) }, ({ code }) =>
        code === undefined ? 'it never ended' : undefined,
      );
    },
  })),
);

export const terminal: readonly Attack[] = [
  ...places.flatMap(prints),
  ...forgeries,
  ...linkedWrites,
  linkedRule('constitution.md', 'docs/rules.md', ['CONSTITUTION_INVALID']),
  linkedRule('src/constitution.md', '../docs/rules.md', ['CONSTITUTION_INVALID']),
  linkedRule('.photon/config.json', '../docs/config.json', ['CONFIG_INVALID']),
  linkedRule('.photon', 'docs', ['CONFIG_INVALID']),
  ...noFiles,
];

/** A command that must end well and say this. */
const says = (
  name: string,
  at: (setup: Setup) => AtTerminal,
  expected: RegExp | string,
): Benign => ({
  id: `terminal/${name}`,
  play: async setup => {
    const { out, err, ended } = await startAtTerminal(setup, at(setup));
    const found = typeof expected === 'string' ? out.includes(expected) : expected.test(out);
    return found ? undefined : `${name}: ${ended}: ${err}`;
  },
});

const odd = 'caf\u00e9 \u{1f600} std::fs \f\u001b[0m \ttab\n';
const linked = (at: string, target: string): AtTerminal => ({
  files: { [at]: { mode: '120000', content: target } },
  args: repo => ['validate', '--repo', repo],
});

export const everydayTerminal: readonly Benign[] = [
  says(
    'a-patch-in-a-pipe-is-whole',
    setup => {
      const file = forge(setup, fs => fs.run('UPDATE fs_data SET data = ?', Buffer.from(odd)));
      return { args: () => ['show', '--session', '--patch', file] };
    },
    `+${odd}`,
  ),
  says(
    'a-session-through-a-link',
    setup => {
      const file = forge(setup, () => {});
      symlinkSync(file, join(setup.folder, 'link.db'));
      return { args: () => ['show', '--session', join(setup.folder, 'link.db')] };
    },
    'added    a.txt',
  ),
  says('other-links', () => linked('CLAUDE.md', 'README.md'), 'all valid'),
  says('linked-folder', () => linked('docs/latest', '..'), 'all valid'),
  says('dangling-link', () => linked('build', '../nowhere'), 'all valid'),
];
