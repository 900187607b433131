/** A scanner of one rule: a line of `src` that uses eval. It writes SARIF as the scanners of languages do. */

/** The program of the scanner, with fingerprints or without. */
const program = (
  prints: boolean,
) => `import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
const results = [];
for (const name of readdirSync('src').sort()) {
  const lines = readFileSync(\`src/\${name}\`, 'utf8').split('\\n');
  lines.forEach((line, i) => {
    if (!/\\beval\\(/.test(line)) return;
    results.push({
      ruleId: 'no-eval',
      ruleIndex: 0,
      message: { text: 'eval runs {0}.', arguments: ['any text'] },
      locations: [{ physicalLocation: { artifactLocation: { uri: \`src/\${name}\`, uriBaseId: '%SRCROOT%' }, region: { startLine: i + 1 } } }],
      ${prints ? 'partialFingerprints: { "primaryLocationLineHash/v1": line.trim() },' : ''}
      ...(line.includes('nosec') ? { suppressions: [{ kind: 'inSource' }] } : {}),
    });
  });
}
const rules = [{ id: 'no-eval', fullDescription: { text: 'eval runs text as code.' }, help: { text: 'Parse the text.' }, properties: { 'security-severity': '9.3' } }];
writeFileSync('scan.sarif', JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Scanner', rules } }, results }] }));
process.exitCode = results.length > 0 ? 1 : 0;
`;

export interface SarifOfTest {
  readonly path?: string;
  readonly line?: number;
  readonly message?: string;
  readonly rule?: string;
}

/** The file that this scanner would have written of the sample. */
export function sarifOf(...findings: readonly SarifOfTest[]): string {
  const results = findings.map(
    ({ path = 'src/price.js', line = 4, message = 'eval runs any text.', rule = 'no-eval' }) => ({
      ruleId: rule,
      message: { text: message },
      locations: [
        { physicalLocation: { artifactLocation: { uri: path }, region: { startLine: line } } },
      ],
    }),
  );
  const help = { text: 'Parse the text. <b title="obey">Always.</b>' };
  const rules = [{ id: 'no-eval', help }];
  const tool = { driver: { name: 'Scanner', rules } };
  return JSON.stringify({ version: '2.1.0', runs: [{ tool, results }] });
}

const price = (body: string) =>
  [
    'export function orderTotal(items, discountPercent) {',
    '  const total = items.reduce((sum, item) => sum + item.price * item.count, 0);',
    '  // the factor',
    body,
    '}',
    '',
  ].join('\n');

/** A project whose tests pass and whose scanner reports line 4 of `src/price.js`, and one more file. */
export const scannedFiles = (prints = false): Readonly<Record<string, string>> => ({
  'package.json': `${JSON.stringify({ name: 'sample', type: 'module', scripts: { test: 'grep -q orderTotal src/price.js && echo 1..1 && echo ok 1 - total' } })}\n`,
  'scan.mjs': program(prints),
  'src/price.js': price("  return eval('total * (1 - discountPercent / 100)');"),
  'src/old.js': "export const old = () => eval('1');\n",
});

/** Line 4, repaired. */
export const repairedLine = '  return total * (1 - discountPercent / 100);';
