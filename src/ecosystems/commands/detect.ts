/** Detects the test and set-up commands of a project from its files, by a table with a row for each tool. Pure. */
import { posix } from 'node:path';
import { collectWords } from '../../base/plural.ts';
import { shell } from '../../process/shell.ts';
import { ecosystems } from '../index.ts';
import {
  openProjectFolder,
  type ProjectFiles,
  type ProjectFolder,
} from '../shared/project-files.ts';
import type { Commands, ToolRow, Witness } from '../shared/tool-row.ts';
import { type CiTest, findCiTests, setUpBefore, testKeys } from './ci-tests.ts';

type DetectionRow = ToolRow & { readonly ecosystem: string };

/** The table, in the order in which its rows decide. */
export const detectionTable: readonly DetectionRow[] = (
  ['configured', 'tools', 'guessed'] as const
).flatMap(when =>
  ecosystems.flatMap(({ name, detection }) =>
    (detection[when] ?? []).map(row => ({ ...row, ecosystem: row.ecosystem ?? name })),
  ),
);

/** A test command and its set-up, which start in the root of the checkout. */
export interface DetectedCommands extends Commands {
  readonly tool: string;
  /** The CI that runs the same tests; undefined if none is known to. */
  readonly witness?: Witness | undefined;
}

/** What detection found in a project. */
export interface Detection {
  /** Undefined if nothing shows a test command, or if too many folders show one. */
  readonly chosen: DetectedCommands | undefined;
  /** What else would run tests, in the order of the table. */
  readonly passedOver: readonly DetectedCommands[];
}

/** What a row of the table found in one folder. */
interface Hit {
  readonly row: DetectionRow;
  /** Relative to the checkout; empty for the checkout itself. */
  readonly folder: string;
  readonly found: Commands;
  /** The same tests in the CI. */
  readonly test?: CiTest | undefined;
}

/** True for the name of a file that shows a project in a folder below the root. */
const isManifest = (name: string) =>
  ecosystems.some(({ detection }) => detection.manifests?.test(name));

/** Folders whose projects are not what the repository is about. */
const aside = collectWords(
  'doc docs documentation website site example examples sample samples demo demos fixture fixtures testdata test tests __tests__ spec e2e integration bench benchmark benchmarks vendor third_party third-party thirdparty deps dependencies external extern subprojects node_modules template templates scripts tools contrib dist build',
);

const maxDepth = 3;
const maxFolders = 40;
/** Most projects in separate folders whose tests one command runs. */
const maxTogether = 4;

/**
 * Detects all the commands that a project shows. It chooses what the root shows, and its CI runs, or else the first row that the
 * root shows; otherwise those of the projects in folders below it, one after the other, the one with the paths named first;
 * otherwise what the CI runs.
 */
export async function detectAll(
  files: ProjectFiles,
  named: readonly string[] = [],
): Promise<Detection> {
  const tests = await findCiTests(files);
  const [first, ...rest] = await rankRoot(openProjectFolder(files, ''), tests);
  const below = await belowRoot(files, tests);
  // one package of many is not the suite
  const ci = tests.find(({ usable, folder }) => usable && (folder === '' || below.length === 0));
  const own = ci === undefined ? [] : [makeOwnHit(ci)];
  if (first === undefined) {
    const chosen =
      together(below, named) ?? (await detectNarrower(files, named)) ?? together(own, []);
    const passedOver = chosen === undefined ? below.map(hit => joinHits([hit])) : [];
    return { chosen, passedOver };
  }
  // packages of the same language are mostly members of the workspace that the root tests
  const others = below.filter(hit => hit.row.ecosystem !== first.row.ecosystem);
  const isNews = first.test === undefined && rest.every(({ test }) => test === undefined);
  const news = isNews ? own : [];
  const beside = listBeside(first, rest);
  const left = rest.filter(hit => !beside.includes(hit));
  const passedOver = [...left, ...others, ...news].map(hit => joinHits([hit]));
  return { chosen: joinHits([first, ...beside]), passedOver };
}

/** The tests of further languages that the CI runs, too: a patch of any of them is tested. */
function listBeside(first: Hit, rest: readonly Hit[]): readonly Hit[] {
  if (first.test === undefined) return [];
  const seen = new Set([first.row.ecosystem]);
  return rest.filter(({ row: { ecosystem }, test }) => {
    const isNew = test !== undefined && !seen.has(ecosystem) && languages.has(ecosystem);
    seen.add(ecosystem);
    return isNew;
  });
}

const ciRow: DetectionRow = {
  tool: 'CI',
  ecosystem: 'any',
  shownBy: 'a test command of the CI, if nothing else is known',
  find: async () => undefined,
};

/** What the CI runs, as a command of its own. */
function makeOwnHit(test: CiTest): Hit {
  const { line, folder, witness } = test;
  const because = posix.relative(folder, witness.file);
  const found = { command: line, setup: setUpBefore(test, ''), because };
  return { row: ciRow, folder, found, test };
}

/** A hit with the test of the CI that runs the same. */
async function addWitness(hit: Hit, files: ProjectFiles, tests: readonly CiTest[]): Promise<Hit> {
  const { folder, found } = hit;
  const inFolder = tests.filter(test => test.folder === folder);
  if (inFolder.length === 0) return hit;
  const keys = await testKeys(found.command, folder, files);
  const same = inFolder.filter(t => t.keys.some(key => keys.includes(key)));
  const test = same.find(t => t.line === found.command) ?? same.find(t => t.usable) ?? same[0];
  if (test === undefined) return hit;
  return { ...hit, test, found: { ...found, setup: setUpBefore(test, found.setup) } };
}

/** Everything that the root shows: what the CI runs comes first. */
async function rankRoot(root: ProjectFolder, tests: readonly CiTest[]): Promise<readonly Hit[]> {
  const first = await firstIn(root);
  if (first === undefined) return [];
  const hits = [await addWitness(first, root, tests)];
  for (const row of detectionTable) {
    const hit = row === first.row ? undefined : await tryRow(root, row);
    if (hit !== undefined) hits.push(await addWitness(hit, root, tests));
  }
  const best = hits.find(({ test }) => test !== undefined);
  return best === undefined ? hits : [best, ...hits.filter(hit => hit !== best)];
}

/**
 * Detects what tests a part of the project alone: the nearest folder above all the paths named that shows a
 * command. Undefined if that is the root, or if the paths lie in several parts.
 */
export async function detectNarrower(
  files: ProjectFiles,
  named: readonly string[],
): Promise<DetectedCommands | undefined> {
  const parts = named[0]?.split('/').slice(0, -1) ?? [];
  for (let end = parts.length; end > 0; end--) {
    const path = parts.slice(0, end).join('/');
    const inside = named.every(p => p.startsWith(`${path}/`));
    if (!inside || !files.paths.some(p => isManifestIn(p, path))) continue;
    const hit = await firstIn(openProjectFolder(files, path));
    if (hit !== undefined) return joinHits([hit]);
  }
  return undefined;
}

const isManifestIn = (path: string, folder: string) =>
  path.startsWith(`${folder}/`) && isManifest(path.slice(folder.length + 1));

/** One command for some projects, those with the paths named first; undefined for none or too many. */
function together(all: readonly Hit[], named: readonly string[]): DetectedCommands | undefined {
  const isNamed = ({ folder }: Hit) => named.some(path => path.startsWith(`${folder}/`));
  const hits = all.length > maxTogether ? all.filter(isNamed) : all;
  if (hits.length === 0 || hits.length > maxTogether) return undefined;
  return joinHits([...hits.filter(isNamed), ...hits.filter(hit => !isNamed(hit))]);
}

/** Each command starts in its folder, which the one before it has to leave. */
function joinHits(hits: readonly Hit[]): DetectedCommands {
  const chain = (lineOf: (found: Commands) => string) => {
    let at = '';
    let joined: readonly string[] = [];
    // several languages can share a step of the CI
    const isRepeated = (part: string) =>
      joined.includes(part) && !joined.some(s => s.startsWith('cd '));
    return hits
      .filter(({ found }) => lineOf(found) !== '')
      .flatMap(({ folder, found }) => {
        const way = posix.relative(`/${at}`, `/${folder}`);
        at = folder;
        const plain = way.startsWith('-') ? `./${way}` : way;
        if (way !== '') joined = [];
        const parts = lineOf(found)
          .split(' && ')
          .filter(part => !isRepeated(part));
        joined = [...joined, ...parts];
        return [way === '' ? [] : `cd ${shell.quoted(plain)}`, parts].flat();
      })
      .join(' && ');
  };
  const list = (textOf: (hit: Hit) => string) => [...new Set(hits.map(textOf))].join(', ');
  return {
    tool: list(({ row }) => row.tool),
    command: chain(found => found.command),
    setup: chain(found => found.setup),
    because: list(({ folder, found }) => posix.join(folder, found.because)),
    witness: hits.every(({ test }) => test !== undefined) ? hits[0]?.test?.witness : undefined,
  };
}

/** The projects in folders below the root that lie in no other project; if the CI runs tests of some, only those. */
async function belowRoot(files: ProjectFiles, tests: readonly CiTest[]): Promise<readonly Hit[]> {
  const folders = new Set<string>();
  for (const path of files.paths) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    if (parts.length === 0 || parts.length > maxDepth || !isManifest(name)) continue;
    if (!parts.some(part => part.startsWith('.') || aside.has(part.toLowerCase())))
      folders.add(parts.join('/'));
  }
  const found: Hit[] = [];
  const byDepth = [...folders].sort(
    (a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1),
  );
  for (const path of byDepth.slice(0, maxFolders)) {
    if (found.some(({ folder }) => path.startsWith(`${folder}/`))) continue;
    const inside = await firstIn(openProjectFolder(files, path));
    if (inside !== undefined) found.push(await addWitness(inside, files, tests));
  }
  const run = found.filter(({ test }) => test !== undefined);
  return run.length > 0 ? run : found;
}

/** Source files by language; many have a `package.json` for their pages or tools beside them. */
const sources = ecosystems.flatMap(({ detection }) => Object.entries(detection.sources ?? {}));

const languages = new Set(ecosystems.filter(e => e.detection.sources).map(({ name }) => name));

/** The languages with more source files than JavaScript. */
function largerThanJavascript({ paths }: ProjectFolder): ReadonlySet<string> {
  const count = (pattern: RegExp) => paths.filter(path => pattern.test(path)).length;
  const counts = new Map(sources.map(([language, pattern]) => [language, count(pattern)]));
  const least = counts.get('JavaScript') ?? 0;
  return new Set([...counts].filter(([, n]) => n > least).map(([language]) => language));
}

/** The first hit of the table; one of JavaScript gives way to that of a language with more source files. */
async function firstIn(folder: ProjectFolder): Promise<Hit | undefined> {
  let first: Hit | undefined;
  let larger: ReadonlySet<string> = new Set();
  for (const row of detectionTable) {
    if (first !== undefined && !larger.has(row.ecosystem)) continue;
    const hit = await tryRow(folder, row);
    if (hit === undefined) continue;
    if (first !== undefined || row.ecosystem !== 'JavaScript') return hit;
    first = hit;
    larger = largerThanJavascript(folder);
  }
  return first;
}

async function tryRow(folder: ProjectFolder, row: DetectionRow): Promise<Hit | undefined> {
  const found = await row.find(folder);
  return found === undefined ? undefined : { row, folder: folder.path, found };
}
