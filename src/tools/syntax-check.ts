/** syntax_check: reports parse errors of the changed files, and which parser read each. */
import * as z from 'zod';
import { notCertain } from './prepare-file.ts';
import { defineTool, type ToolContext } from './tool.ts';

export const syntaxCheck = defineTool({
  name: 'syntax_check',
  description: 'Parse the changed files.',
  core: false,
  step: undefined,
  schema: z.strictObject({}),
  claims: () => [],
  run: async (_args, context) => {
    const paths = context.session
      .changes()
      .filter(c => c.after !== undefined)
      .map(c => c.path);
    if (paths.length === 0) return { text: 'There are no changes.' };
    const reports = await Promise.all(paths.map(p => report(p, context)));
    return { text: reports.join('\n'), paths };
  },
});

async function report(path: string, context: ToolContext): Promise<string> {
  const file = await context.session.text(path);
  if (file === undefined || file === 'binary') return `${path}: not text`;
  const text = file.lines.join('\n');
  const found = await context.syntax.check(path, text);
  if (found === undefined)
    return `${path}: ${context.symbols.notParsed(path, text) ?? 'no parser for this language'}`;
  const { parser, complete, errors } = found;
  if (errors.length === 0) return `${path}: no errors (${parser})`;
  const rows = errors.map(e => `${path}:${e.line}:${e.column}: ${e.message}`);
  return complete ? rows.join('\n') : `${path}: ${notCertain}\n${rows.join('\n')}`;
}
