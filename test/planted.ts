/** What hostile commands try to leave outside their view: named in one place, removed before and after the tests, and a failure if it is there. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of the machine that hostile commands try to write to. */
const folders = ['/', '/dev', '/dev/shm', '/etc', '/tmp', '/usr', '/var/tmp'] as const;

/** Begins the name of every file that a test tries to plant, and of no other file. */
const prefix = 'photon-planted-';

/** Path by which a test tries to leave a file on the machine: only such a path is found and removed. */
export function plantedAt(folder: (typeof folders)[number], name: string): string {
  return join(folder, `${prefix}${name}`);
}

/** The planted files that are on this machine now. */
export function findPlanted(places: readonly string[] = folders): readonly string[] {
  return places.flatMap(folder =>
    namesIn(folder)
      .filter(name => name.startsWith(prefix))
      .map(name => join(folder, name)),
  );
}

/** Names in a folder; none where the system has no such folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes planted files; a phrase for each, which names it and says if it could not be removed. */
export function removePlanted(places: readonly string[] = folders): readonly string[] {
  return findPlanted(places).map(path => {
    try {
      rmSync(path, { recursive: true });
      return `${path} (removed)`;
    } catch (error) {
      return `${path} (remove it yourself: ${error instanceof Error ? error.message : error})`;
    }
  });
}

/** Called by vitest before the first test: removes what a run left that was killed. */
export function setup(): void {
  const left = removePlanted();
  if (left.length > 0) process.stdout.write(`An earlier run planted: ${left.join(', ')}\n`);
}

/**
 * Called by vitest after the last test, also when tests failed.
 * @throws Error that names what a test planted: a wall did not hold, whatever the test itself saw.
 */
export function teardown(): void {
  const found = removePlanted();
  if (found.length === 0) return;
  process.exitCode = 1;
  throw new Error(`A hostile command wrote outside its view: ${found.join(', ')}`);
}
