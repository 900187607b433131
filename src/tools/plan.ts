/** plan: records entry symbols, affected files and scope; the agent may amend it later. */
import * as z from 'zod';
import { plural } from '../base/plural.ts';
import { nearestPaths } from '../guard/nearest-names.ts';
import { normalisePath } from '../guard/paths.ts';
import { aside, defineTool, type ToolContext } from './tool.ts';

const names = z.array(z.string().min(1).max(500)).max(100);

/** Further keys are not recorded, except by the letter, which refuses them. */
const schema = z.looseObject({
  entry_symbols: names.min(1),
  affected_files: names.meta(aside('paths the patch may change; none for a question')),
  scope: z.string().min(1).max(2000),
  max_changed_lines: z.int().min(1).max(5000).optional().meta(aside('default 100')),
});

export const plan = defineTool({
  name: 'plan',
  description: 'State or amend the plan.',
  core: true,
  step: 'plan',
  schema,
  claims: args => [
    { kind: 'plan', files: args.affected_files, maxChangedLines: args.max_changed_lines ?? 100 },
  ],
  problems: async (args, { policy }) =>
    policy.reads === 'strict' ? listFurther(args).map(key => `there is no key ${key}`) : [],
  run: async (args, context) => ({
    text: [
      args.affected_files.length === 0
        ? 'Plan recorded: no files, so nothing can be changed.'
        : `Plan recorded: ${plural(args.affected_files.length, 'file')}, at most ${args.max_changed_lines ?? 100} changed lines.`,
      ...(await describeMissing(args.affected_files, context)),
      ...describeFurther(listFurther(args)),
    ].join('\n'),
    events: [
      {
        kind: 'planned',
        affectedFiles: args.affected_files,
        maxChangedLines: args.max_changed_lines ?? 100,
        text: { entrySymbols: args.entry_symbols, scope: args.scope },
      },
    ],
  }),
});

/** The keys that are no part of a plan, at most ten of them. */
function listFurther(args: object): readonly string[] {
  const further = Object.keys(args).filter(key => !Object.hasOwn(schema.shape, key));
  return further.slice(0, 10).map(key => key.slice(0, 40));
}

const describeFurther = (keys: readonly string[]) =>
  keys.length === 0 ? [] : [`Not part of a plan, so not recorded: ${keys.join(', ')}`];

/** The planned paths that do not exist, with existing ones that resemble them: new files, or guesses. */
async function describeMissing(
  files: readonly string[],
  { session }: ToolContext,
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const paths = (await session.files()).map(f => f.path);
  const known = new Set(paths);
  return files.flatMap(file => {
    const path = normalisePath(file);
    if (path === undefined)
      return [`Not a path from the root of the repository, so it permits nothing: ${file}`];
    if (known.has(path)) return [];
    const nearest = nearestPaths(path, paths);
    const similar = nearest.length === 0 ? '' : `; similar paths: ${nearest.join(', ')}`;
    return [`New, since it does not exist: ${path}${similar}`];
  });
}
