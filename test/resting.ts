/**
 * Which tests of whole runs rest today. Two groups of three do, drawn from the seed, so that a contributor waits five minutes
 * for `npm test`. Continuous integration and `npm run test:all` play all of them, and so does every run of the tests that
 * names a file or a test.
 */
import { randomOf } from './seed.ts';

/** Tests of whole runs, of which any two take much the same way through the program. */
const wholeRuns =
  /^test\/(run|github|evaluation|bench|browser)\/|^test\/cli|^test\/workflow\/(on-github|run-workflow|kill-points|manifest-file|side-by-side)/;

/** What keeps a run from doing harm, and what the seed draws already. */
const always =
  /^test\/run\/(rules|hostile|never-send|protected-paths|broken-ledger|credentials|kill|disk)|^test\/github\/(races|kill-points|find-command|access)/;

/** Files whose groups go on from each other: all of one rest, or none. */
const joined = /^test\/evaluation\/eval/;

/**
 * Groups of tests rest as a whole, because the tests of one can go on from each other.
 * @param path of the test file, from the top of the project. @param name of the test with its groups, as `group > test`.
 */
export function rests(path: string, name: string): boolean {
  if (process.env.PHOTON_TEST_REST !== 'some' || !wholeRuns.test(path) || always.test(path))
    return false;
  const [group = ''] = joined.test(path) ? [] : name.split(' > ');
  return randomOf(`rests ${path} ${group}`)() < 2 / 3;
}
