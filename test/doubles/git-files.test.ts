/** What the doubles write by themselves is what git itself makes of the same. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAll } from '../seed.ts';
import { GitStore } from './git-store.ts';

let store: GitStore;
beforeEach(() => {
  store = new GitStore();
});
afterEach(() => store.close());

const name = fc.constantFrom('a', 'b', 'a.txt', 'a-b', 'a0', 'Z', 'ä', 'with space');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(parts => parts.join('/'));
const change = fc.tuple(path, fc.option(fc.string(), { freq: 3 }));

/** The same changes by git's own index. */
function byGit(
  base: string | undefined,
  changes: readonly (readonly [string, string | null])[],
): string {
  const env = { GIT_INDEX_FILE: `${store.dir}/index` };
  store.git(['read-tree', ...(base === undefined ? ['--empty'] : [base])], undefined, env);
  for (const [at, text] of changes) {
    const sha = text === null ? '0'.repeat(40) : store.git(['hash-object', '-w', '--stdin'], text);
    const line = `${text === null ? '0' : '100644'} ${sha}\t${at}\0`;
    store.git(['update-index', '-z', '--replace', '--index-info'], line, env);
  }
  return store.git(['write-tree'], undefined, env);
}

it('trees are those of git', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.array(change, { maxLength: 4 }), (a, b) => {
      let [own, theirs] = [store.tree(undefined, []), byGit(undefined, [])];
      for (const changes of [a, b]) {
        // one after the other, as git takes them: a file makes room for a folder, and the other way
        for (const one of changes) {
          const sha = one[1] === null ? null : store.blob(one[1]);
          own = store.tree(own, [{ path: one[0], mode: '100644', sha }]);
        }
        theirs = byGit(theirs, changes);
        expect(own).toBe(theirs);
      }
    }),
    { numRuns: isAll ? 30 : 3 },
  );
});

it('commits and references are those of git, and the whole repository is sound', () => {
  const first = store.push(
    'main',
    { 'a.txt': 'one\n', 'deep/b.bin': { content: new Uint8Array([0, 255]) } },
    'First',
  );
  const second = store.push(
    'side/way',
    {
      'a.txt': null,
      run: { mode: '100755', content: 'x' },
      to: { mode: '120000', content: 'run' },
    },
    'Second\n\nBody',
  );
  expect(store.git(['log', '--format=%H %s', 'side/way'])).toBe(`${second} Second\n${first} First`);
  expect(store.git(['ls-tree', '-r', '--format=%(objectmode) %(path)', second])).toBe(
    '100644 deep/b.bin\n100755 run\n120000 to',
  );
  expect(store.git(['for-each-ref', '--format=%(refname) %(objectname)'])).toBe(
    Object.entries(store.refs())
      .map(pair => pair.join(' '))
      .join('\n'),
  );
  expect([store.isAncestor(first, second), store.isAncestor(second, first)]).toEqual([true, false]);
  execFileSync('git', ['fsck', '--strict'], { cwd: store.dir, stdio: 'pipe' });
  store.files.setRef('refs/heads/side/way', undefined);
  store.push('side', { 'c.txt': 'three\n' });
  expect(Object.keys(store.refs())).toEqual(['refs/heads/main', 'refs/heads/side']);
  store.git(['pack-refs', '--all']);
  expect(store.commitOf('main')).toBe(first);
});
