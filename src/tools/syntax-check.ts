/** syntax_check: reports parse errors of the changed files, and which parser found them. */
import * as z from 'zod';
import { defineTool, type ToolContext } from './tool.ts';

export const syntaxCheck = defineTool({
  name: 'syntax_check',
  description: 'Check the changed files for parse errors.',
  core: false,
  step: null,
  schema: z.strictObject({}),
  claims: () => [],
  run: async (_args, context) => {
    const paths = context.session
      .changes()
      .filter(c => c.after !== null)
      .map(c => c.path);
    if (paths.length === 0) return { text: 'There are no changes.' };
    const reports = await Promise.all(paths.map(p => report(p, context)));
    return { text: `Checked by the parser of the symbol index:\n${reports.join('\n')}`, paths };
  },
});

async function report(path: string, context: ToolContext): Promise<string> {
  const file = await context.session.text(path);
  if (file === null || file === 'binary') return `${path}: not text`;
  const errors = await context.symbols.syntaxErrors(path, file.lines.join('\n'));
  if (errors === 'unknown-language') return `${path}: no parser for this language`;
  if (errors.length === 0) return `${path}: no errors`;
  return errors.map(e => `${path}:${e.line}:${e.column}: ${e.message}`).join('\n');
}
