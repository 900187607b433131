/** The table of codes ► `docs/codes.md`. */
import { type CodeKind, codes } from '../../src/codes.ts';
import { escaped } from './markup.ts';

const titles: Readonly<Record<CodeKind, string>> = {
  rule: 'Answers of the guard',
  ending: 'Endings',
  protocol: 'Replies in instruction tags',
  input: 'Settings and files that cannot be used',
  audit: 'Findings of an audit',
  record: 'Records',
};

/** A heading per code, with its meaning and what to do. */
export function renderCodesPage(): string {
  const parts = [
    '# Codes',
    '',
    'Generated from `src/codes.ts`. A code never changes its meaning.',
    '',
  ];
  for (const kind of Object.keys(titles) as CodeKind[]) {
    parts.push(`# ${titles[kind]}`, '');
    const shown = kind === 'protocol' ? escaped : (text: string) => text;
    for (const [code, entry] of Object.entries(codes)) {
      if (entry.kind === kind)
        parts.push(
          `## ${code}`,
          '',
          shown(entry.meaning),
          '',
          `What to do: ${shown(entry.hint)}`,
          '',
        );
    }
  }
  return parts.join('\n');
}
