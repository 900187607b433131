/**
 * Prints figures about this project, each with the rule by which it is counted.
 *
 * A source is a file of `src/` that exports a value and holds a function or a class: lists, tables of data,
 * types and files that only export again are none. Its test lies at its own path: `src/a/b.ts` is tested by
 * `test/a/b.test.ts`. `node .ci/figures.ts --without` lists the sources that have no such test.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const root = join(import.meta.dirname, '..');

/** Whether a text exports a value of its own, and has a function or a class in it. */
function isSource(path: string): boolean {
  const { module, program } = parseSync(path, readFileSync(join(root, path), 'utf8'));
  const own = module.staticExports
    .flatMap(e => e.entries)
    .some(e => !e.isType && e.moduleRequest === null);
  let acts = false;
  const found = () => {
    acts = true;
  };
  new Visitor({
    FunctionDeclaration: found,
    FunctionExpression: found,
    ArrowFunctionExpression: found,
    ClassDeclaration: found,
  }).visit(program);
  return own && acts;
}

const testOf = (source: string) => source.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts');

const sources = globSync('src/**/*.ts', { cwd: root })
  .filter(path => !path.endsWith('.d.ts') && isSource(path))
  .sort();
const without = sources.filter(path => !existsSync(join(root, testOf(path))));
process.stdout.write(
  `sources with a test at their path: ${sources.length - without.length} of ${sources.length}\n`,
);
if (process.argv.includes('--without')) process.stdout.write(`${without.join('\n')}\n`);
