/** The files of a project, and of a folder inside it, as detection reads them. */
import { asObject, parseJson } from '../../base/schema-issue.ts';
import { isPackaged } from '../../guard/paths.ts';
import type { TrustedFiles } from '../../workspace/trusted/trusted-files.ts';

/** The files of a project that detection reads. */
export interface ProjectFiles {
  readonly has: (path: string) => boolean;
  /** Text of a file; undefined if it does not exist. */
  readonly read: (path: string) => Promise<string | undefined>;
  readonly paths: readonly string[];
}

/** The files of a folder, for detection. */
export async function loadProjectFiles(
  tree: Pick<TrustedFiles, 'list' | 'read'>,
): Promise<ProjectFiles> {
  const paths = await tree.list('');
  const known = new Set(paths);
  return {
    paths,
    has: path => known.has(path),
    read: async path => {
      const bytes = await tree.read(path);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    },
  };
}

/** A folder that detection looks at. Its paths are relative to it. */
export interface ProjectFolder extends ProjectFiles {
  /** Relative to the checkout; empty for the checkout itself. */
  readonly path: string;
  /** Like `has`, also for the folders above. Lock files of a workspace lie there. */
  readonly hasAtOrAbove: (name: string) => boolean;
  /** Texts of the files of a name in this folder and those above, the nearest first. */
  readonly textsAtOrAbove: (name: string) => Promise<readonly string[]>;
  /** The object in a JSON file; may be empty. */
  readonly json: (path: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Manifests are smaller. What is longer could take patterns too long. */
const maxTextChars = 200_000;

/** Opens a folder of a project. Each file is read once. */
export function openProjectFolder(files: ProjectFiles, path: string): ProjectFolder {
  const prefix = path === '' ? '' : `${path}/`;
  const known = new Map<string, Promise<string | undefined>>();
  const read = (name: string) => {
    const text =
      known.get(name) ??
      (files.has(name) ? files.read(name) : Promise.resolve(undefined)).then(whole =>
        whole?.slice(0, maxTextChars),
      );
    known.set(name, text);
    return text;
  };
  const parts = path === '' ? [] : path.split('/');
  const atOrAbove = [...parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`).reverse(), ''];
  const findNamed = (name: string) => atOrAbove.map(folder => `${folder}${name}`).filter(files.has);
  return {
    path,
    paths: files.paths
      .filter(p => p.startsWith(prefix) && !isPackaged(p))
      .map(p => p.slice(prefix.length)),
    has: name => files.has(`${prefix}${name}`),
    read: name => read(`${prefix}${name}`),
    hasAtOrAbove: name => findNamed(name).length > 0,
    textsAtOrAbove: async name => {
      const texts = await Promise.all(findNamed(name).map(read));
      return texts.filter(text => text !== undefined);
    },
    json: async name => parseJsonObject((await read(`${prefix}${name}`)) ?? ''),
  };
}

/** The object that a JSON text holds; empty if it holds none. */
export const parseJsonObject = (text: string) => asObject(parseJson(text));

/** The scripts of a package manifest, by name; none for a text that holds none. */
export const packageScripts = (manifest = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(asObject(parseJsonObject(manifest).scripts)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

/** The names of a script and of those that package managers run before and after it, in order. */
export const withHooks = (script: string) => [`pre${script}`, script, `post${script}`];

const maxNaming = 40;

/** Lists what the first group of a pattern finds in files of these paths, each once. */
export const listNames = (where: RegExp, pattern: RegExp) => async (files: ProjectFiles) => {
  const paths = files.paths.filter(path => where.test(path)).slice(0, maxNaming);
  const texts = await Promise.all(paths.map(files.read));
  const found = texts.flatMap(text => [...(text ?? '').matchAll(pattern)]);
  return [...new Set(found.map(([, name = '']) => name))];
};
