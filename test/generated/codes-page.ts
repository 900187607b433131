/** Renders the table of codes as `docs/codes.md`. */
import { type CodeKind, codes } from '../../src/base/codes.ts';
import { escaped } from './markup.ts';

const titles: Readonly<Record<CodeKind, string>> = {
  rule: 'Results of the guard',
  ending: 'Results of a run',
  protocol: 'Replies in instruction tags',
  input: 'Invalid settings and files',
  audit: 'Findings of an audit',
  record: 'Records',
  mcp: 'MCP servers',
};

/** Renders a heading for each code, with its meaning and what to do. */
export function renderCodesPage(): string {
  const parts = [
    '# Codes',
    '',
    'This page explains every code that a run, a command or an audit can end with: first what happened, then what to do. It is generated from `src/base/codes.ts`. A code never changes its meaning.',
    '',
    'All pages: [index](README.md). Related: [guard](guard.md), [settings](settings.md), [verification](verification.md).',
    '',
  ];
  for (const kind of Object.keys(titles) as CodeKind[]) {
    parts.push(`# ${titles[kind]}`, '');
    const shown = kind === 'protocol' ? escaped : (text: string) => text;
    for (const [code, entry] of Object.entries(codes)) {
      if (entry.kind === kind)
        parts.push(`## ${code}`, '', shown(entry.meaning), '', shown(entry.hint), '');
    }
  }
  return parts.join('\n');
}
