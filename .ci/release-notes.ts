/**
 * Prints the notes of a release, the section of CHANGELOG.md about its version, after checking that the version is that
 * of package.json: `node .ci/release-notes.ts 2.1.0`. Exit status 1 with a reason if something does not agree.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.env.PHOTON_RELEASE_ROOT ?? join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

function notesOf(version: string): string {
  if (!/^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/.test(version))
    throw new Error(`${JSON.stringify(version)} is no version such as 2.1.0.`);
  const { version: own } = JSON.parse(read('package.json')) as { version: string };
  if (own !== version)
    throw new Error(`package.json names ${own}, not ${version}. Change it and commit it first.`);
  const sections = read('CHANGELOG.md').split(/^## /m);
  const section = sections.find(text => text.split(/[\s—–-]/, 1)[0] === version);
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '')
    throw new Error(
      `CHANGELOG.md has no section "## ${version}". Rename "## Unreleased" to it and commit that first.`,
    );
  return notes;
}

try {
  process.stdout.write(`${notesOf(process.argv[2] ?? '')}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
