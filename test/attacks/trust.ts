/** Attacks by the repository on the machine that works on it: programs, configuration, records, links. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comment, permit, stranger } from '../doubles/events.ts';
import type { Scenario } from '../run/scenario.ts';
import {
  type Attack,
  type Benign,
  type Found,
  running,
  type Setup,
  textOf,
  throughAction,
} from './attack.ts';

import { everydayGit, gitFolders } from './git-config.ts';
import { everydayReplays, replays } from './replays.ts';
import { everydayConfig, trustedConfig } from './trusted-config.ts';

/** A program that leaves its mark, and then does what the one of the machine does. */
function plant(folder: string, name: string, mark: string): void {
  mkdirSync(folder, { recursive: true });
  const lines = [
    '#!/bin/sh',
    `(: > '${mark}') 2>/dev/null`,
    `for d in /usr/sbin /usr/bin /sbin /bin; do [ -x $d/${name} ] && exec $d/${name} "$@"; done`,
  ];
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`, { mode: 0o755 });
}

/** How a folder of the checkout gets onto the PATH. */
const ways = {
  relative: { entry: () => 'node_modules/.bin', says: 'a relative entry' },
  dot: { entry: () => './node_modules/../node_modules/.bin/', says: 'an entry with dots in it' },
  linked: { entry: ({ folder }: Setup) => join(folder, 'bin'), says: 'a link to a folder of it' },
  empty: { entry: () => '', says: 'an empty entry, which means the current folder' },
} as const;

type Way = keyof typeof ways;

/** Runs the Action on a checkout that contains the program. */
async function withPlanted(
  setup: Setup,
  { program, way }: { readonly program: string; readonly way: Way },
  more: Partial<Scenario>,
): Promise<Found> {
  const mark = join(setup.folder, 'it-ran-here');
  return throughAction(
    setup,
    {
      script: running('true'),
      ...more,
      cloned: workspace => {
        const bin = way === 'empty' ? workspace : join(workspace, 'node_modules', '.bin');
        plant(bin, program, mark);
        if (way === 'linked') symlinkSync(bin, join(setup.folder, 'bin'));
      },
      env: { PATH: `${ways[way].entry(setup)}:${setup.searchPath}` },
    },
    () => (textOf(mark) === undefined ? undefined : `${program} of the checkout ran on the host`),
  );
}

const outside = 'Photon finds its programs once at startup, and never inside the checkout';

const planted = (program: string, way: Way): Attack => ({
  id: `programs/${program}-${way}`,
  attack: `The checkout brings its own ${program}, and the PATH names it by ${ways[way].says}`,
  wall: outside,
  codes: ['ABSTAINED'],
  launchers: 'both',
  play: setup => withPlanted(setup, { program, way }, {}),
});

const beforeTrustIsAsked: Attack = {
  id: 'programs/stranger-on-a-fork',
  attack: "A stranger comments on a fork's pull request, whose files hold a git of their own",
  wall: outside,
  codes: ['NOT_AUTHORISED'],
  play: setup =>
    withPlanted(
      setup,
      { program: 'git', way: 'relative' },
      { task: '', event: comment({ by: stranger, pull: true }), arrange: permit },
    ),
};

const programs: readonly Attack[] = [
  ...(['git', 'sh', 'mount', 'unshare', 'setpriv'] as const).map(p => planted(p, 'relative')),
  ...(['mkdir', 'cp', 'pivot_root', 'umount', 'ip', 'sed', 'bwrap', 'mknod'] as const).map(p =>
    planted(p, 'linked'),
  ),
  ...(['git', 'sh', 'mount'] as const).map(p => planted(p, 'linked')),
  planted('git', 'empty'),
  planted('sh', 'dot'),
  beforeTrustIsAsked,
];

export const trust: readonly Attack[] = [...programs, ...trustedConfig, ...replays, ...gitFolders];

export const everydayTrust: readonly Benign[] = [
  ...everydayConfig,
  ...everydayReplays,
  ...everydayGit,
];
