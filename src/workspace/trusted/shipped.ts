/** Reads the files that ship with Photon: constitution, prompts, skills, grammars and their queries. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { openFolderFiles, type TrustedFiles } from './trusted-files.ts';
import { readVersion } from './version.ts';

const unpack = promisify(brotliDecompress);

export interface ShippedAssets {
  readonly version: string;
  readonly constitution: string;
  /** Text of a prompt file by its name; undefined when it does not exist. */
  readonly prompt: (name: string) => string | undefined;
  /** The shipped skills, one folder for each. */
  readonly skills: TrustedFiles;
  /** Source text of a test runner that runs inside the sandbox. */
  readonly runner: (name: string) => string;
  /** Roots of the public Sigstore, by which signatures are checked offline. */
  readonly sigstoreRoot: () => string;
  readonly readGrammar: (file: string) => Promise<Uint8Array>;
  /** Text of the query that finds the definitions of a language. */
  readonly readQuery: (name: string) => Promise<string>;
  /** Loads the parser library; it is not in the bundle because it loads files from its own folder. */
  readonly loadParser: () => Promise<typeof import('web-tree-sitter')>;
}

/** Opens the root folder of the action or the clone, which contains `action.yml`. */
export function openShipped(root: string): ShippedAssets {
  const shipped = opened.get(root) ?? readShipped(root);
  opened.set(root, shipped);
  return shipped;
}

/** One for the folder of this program, whose files do not change while it runs: its grammars are loaded once. */
const opened = new Map<string, ShippedAssets>();

function readShipped(root: string): ShippedAssets {
  const text = (...parts: string[]) => readFileSync(join(root, ...parts), 'utf8');
  return {
    version: readVersion(root),
    constitution: text('constitution', 'photon.md'),
    prompt: name => {
      const known =
        /^[a-z0-9-]{1,60}$/.test(name) && existsSync(join(root, 'prompts', `${name}.json`));
      return known ? text('prompts', `${name}.json`) : undefined;
    },
    skills: openFolderFiles(join(root, 'skills')),
    runner: name => text('assets', 'runners', name),
    sigstoreRoot: () => text('assets', 'sigstore-root.json'),
    loadParser: () =>
      import(pathToFileURL(join(root, 'dist', 'grammars', 'web-tree-sitter.js')).href),
    readQuery: name => readFile(join(root, 'assets', 'queries', `${name}.scm`), 'utf8'),
    readGrammar: async file => unpack(await readFile(join(root, 'dist', 'grammars', `${file}.br`))),
  };
}
