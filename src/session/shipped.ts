/** Files that come with Photon: constitution, prompts, skills, grammars. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const unpack = promisify(brotliDecompress);

export interface Shipped {
  readonly version: string;
  readonly constitution: string;
  readonly profile: string;
  /** Text of each SKILL.md by the name of its folder. */
  readonly skills: () => ReadonlyMap<string, string>;
  /** Program text of a test runner that works inside the sandbox. */
  readonly runner: (name: string) => string;
  readonly readGrammar: (file: string) => Promise<Uint8Array>;
  /** The parser library, kept out of the bundle because it looks for files beside itself. */
  readonly loadParser: () => Promise<typeof import('web-tree-sitter')>;
}

/** Opens the folder of the action (or of the clone) that `action.yml` stands in. */
export function openShipped(root: string): Shipped {
  const text = (...parts: string[]) => readFileSync(join(root, ...parts), 'utf8');
  return {
    version: String((JSON.parse(text('package.json')) as { version: unknown }).version),
    constitution: text('constitution', 'photon.md'),
    profile: text('prompts', 'photon.json'),
    skills: () => {
      const names = readdirSync(join(root, 'skills')).filter(n =>
        existsSync(join(root, 'skills', n, 'SKILL.md')),
      );
      return new Map(names.sort().map(n => [n, text('skills', n, 'SKILL.md')]));
    },
    runner: name => text('runners', name),
    loadParser: () =>
      import(
        /* webpackIgnore: true */ pathToFileURL(
          join(root, 'dist', 'grammars', 'web-tree-sitter.js'),
        ).href
      ),
    readGrammar: async file => unpack(await readFile(join(root, 'dist', 'grammars', `${file}.br`))),
  };
}
