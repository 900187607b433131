/** Recognises builds that only compile TypeScript, which can then be done for one file at a time. Pure. */
import { plainCommand } from '../../../ecosystems/commands/parse-command.ts';

/** Programs that a build starts beside the compiler, and that change no output of it. */
const besides = /^(?:rimraf|rm|del|del-cli|mkdir|mkdirp|shx|cp|cpx|cpy|copyfiles|echo|chmod)$/;

/**
 * The configurations of the TypeScript compiler that the stages of a build name; null if they do anything else that may
 * change what the tests run.
 */
export function emitsOf(
  builds: readonly string[],
  manifest: string | null,
): readonly string[] | null {
  const configs: string[] = [];
  for (const build of builds) {
    const [program = '', ...words] = plainCommand(build, manifest)?.words ?? [];
    if (besides.test(program)) continue;
    const config = program === 'tsc' ? configOf(words) : null;
    if (config === null) return null;
    configs.push(config);
  }
  return configs.length === 0 ? null : configs;
}

/** The configuration that `tsc` with these arguments reads; null if they change more. */
function configOf(words: readonly string[]): string | null {
  const [option, path, ...more] = words.filter(w => !/^--(?:pretty|noCheck|skipLibCheck)$/.test(w));
  if (option === undefined) return 'tsconfig.json';
  const named = option === '-p' || option === '--project';
  if (!named || path === undefined || more.length > 0) return null;
  return path.endsWith('.json') ? path : `${path.replace(/(?<!\/)\/+$/, '')}/tsconfig.json`;
}
