/** The sandbox where checkout, scratch folder or tools lie in places that every root has of its own, by each launcher. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findPrograms } from '../../src/process/programs.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { openGit } from '../../src/workspace/git/git.ts';
import { openViews } from '../../src/workspace/views/view.ts';
import { makeRepository } from '../doubles/repository.ts';
import { pathWithout } from '../doubles/search-path.ts';
import { discard, makeFolder } from '../harness.ts';
import { findPlanted, plantedAt } from '../planted.ts';
import { has, missingFor, needs } from '../programs.ts';

const folder = makeFolder();
const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
  discard(folder);
});

/** A new folder below one of the system. */
function below(place: string): string {
  const path = mkdtempSync(join(place, 'photon-test-'));
  made.push(path);
  return path;
}

function tool(bin: string): string {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'hello'), '#!/bin/sh\necho hello from a tool\n', { mode: 0o755 });
  return bin;
}

interface Place {
  readonly checkout?: string;
  readonly scratch?: string;
  readonly home?: string;
  readonly tools?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const shared = (): Place => ({ checkout: join(below('/dev/shm'), 'checkout') });
const places: Readonly<Record<string, () => Place>> = {
  'a checkout below /dev/shm': shared,
  'RUNNER_TOOL_CACHE below /dev/shm': () => {
    const RUNNER_TOOL_CACHE = below('/dev/shm');
    return { tools: tool(join(RUNNER_TOOL_CACHE, 'node', '1', 'bin')), env: { RUNNER_TOOL_CACHE } };
  },
  'all of them below /dev/shm': () => {
    const all = below('/dev/shm');
    const scratch = join(all, 'run', 'scratch');
    return { ...shared(), scratch, home: join(all, 'home'), tools: tool(join(all, 'bin')) };
  },
};
const ofRoot: Readonly<Record<string, () => Place>> = {
  'a checkout below /dev': () => ({ checkout: join(below('/dev'), 'checkout') }),
  'a checkout below /lib': () => ({ checkout: join(below('/lib'), 'checkout') }),
  'a home folder below /usr': () => ({ home: below('/usr') }),
};

const launchers = [
  [`bubblewrap ${needs('bwrap')}`, () => process.env.PATH ?? ''],
  [`namespaces ${needs('namespaces')}`, () => pathWithout(folder, 'bwrap')],
] as const;

describe.each(launchers)('by %s', (title, searchPath) => {
  const [name = ''] = title.split(' ');
  const isThere = missingFor(title).length === 0;

  async function play(place: Place): Promise<void> {
    const own = makeFolder();
    const { checkout = join(own, 'checkout'), scratch = join(own, 'scratch') } = place;
    const { home = join(own, 'home'), tools = tool(join(own, 'bin')) } = place;
    for (const path of [checkout, scratch, home]) mkdirSync(path, { recursive: true });
    makeRepository(checkout, { files: { 'file.txt': 'host\n' } });
    writeFileSync(join(home, 'secret'), 'host-secret');
    const neighbour = join(below('/dev/shm'), 'secret');
    writeFileSync(neighbour, 'host-secret');
    const env = { ...process.env, ...place.env, HOME: home, PATH: `${searchPath()}:${tools}` };
    const programs = findPrograms(env.PATH, [checkout]);
    const sandbox = await openSandbox({
      mode: 'required',
      hosted: false,
      workspacePath: checkout,
      scratch,
      hidePaths: [],
      readPaths: [],
      env,
      programs,
      extraEnv: [],
      memoryBytes: undefined,
      processes: undefined,
      token: `place${process.pid}x${made.length}x`,
      log: () => {},
    });
    const git = await openGit(checkout, { scratch, programs });
    const view = await openViews({ git, scratch, programs })(sandbox.support, []);
    const shm = plantedAt('/dev/shm', 'own');
    const outside = (['/dev', '/usr', '/etc'] as const).map(at => plantedAt(at, 'place'));
    const line = `pwd; cat file.txt; hello; echo x > new; echo x > /dev/null; echo x > ${shm} && cat ${shm}
      cat "${home}/secret" "${neighbour}" 2>/dev/null
      for f in ${outside.join(' ')}; do ( : > $f ) 2>/dev/null && echo "wrote $f"; done
      [ ! -e "${scratch}" ] || echo "sees $(ls -A "${scratch}")"; echo end`;
    const end = await sandbox.run({
      caller: 'run_command',
      argv: ['sh', '-c', line],
      view,
      cwd: '.',
      network: false,
      timeoutMs: 600_000,
      maxOutputBytes: 10_000,
      signal: new AbortController().signal,
    });
    await view.close();
    git.close();
    await sandbox.close();
    expect(end.output).toBe(`${realpathSync(checkout)}\nhost\nhello from a tool\nx\nend\n`);
    expect(sandbox.launcher).toBe(name);
    expect(findPlanted()).toEqual([]);
    expect(readdirSync(checkout)).not.toContain('new');
    discard(own);
  }

  it.runIf(isThere && existsSync('/dev/shm')).each(Object.entries(places))(
    '%s works, and shows nothing beside it',
    (_name, place) => play(place()),
  );
  it.runIf(isThere && has('root')).each(Object.entries(ofRoot))(
    `%s works, and shows nothing beside it ${needs('root')}`,
    (_name, place) => play(place()),
  );
});
