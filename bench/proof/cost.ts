/** What the proof of a patch costs beside one run of the tests, on projects of three sizes. */
import { median, row } from '../figures.ts';
import { playPatch } from './run.ts';

const rounds = 3;
const perFile = 50;

/** A project with this many tests, one of which fails. The patch repairs it. */
function projectOf(tests: number) {
  const manifest = { type: 'module', scripts: { test: 'node --test' } };
  const head = "import assert from 'node:assert/strict';\nimport test from 'node:test';\n";
  const files = Array.from({ length: Math.ceil(tests / perFile) }, (_, file) => {
    const count = Math.min(perFile, tests - file * perFile);
    const lines = Array.from(
      { length: count },
      (_each, i) => `test('case ${i}', () => assert.equal(price(${i}, ${file}), ${i * 2 + file}));`,
    );
    const text = `${head}import { price } from '../src/price.js';\n${lines.join('\n')}\n`;
    return [`test/part-${file}.test.js`, text] as const;
  });
  const source = (factor: string) =>
    `export function price(count, extra) {\n  return count * ${factor} + extra;\n}\n`;
  return {
    language: 'js' as const,
    base: {
      'package.json': `${JSON.stringify(manifest)}\n`,
      'src/price.js': source('3'),
      ...Object.fromEntries(files),
    },
    patch: { 'src/price.js': source('2') },
  };
}

/** `npm run bench -- proof-cost`: the time of the proof as a ratio to one run of the tests, with the default budget. */
export async function benchProofCost(): Promise<void> {
  for (const tests of [10, 200, 2000]) {
    const measured: {
      readonly ratio: number;
      readonly testMs: number;
      readonly proofMs: number;
    }[] = [];
    for (let i = 0; i < rounds; i++) {
      const { verification } = await playPatch(projectOf(tests), {
        verify: { budgetSeconds: undefined },
      });
      const testMs = verification?.after?.durationMs ?? 0;
      const proofMs = verification?.proof?.durationMs ?? 0;
      measured.push({ ratio: proofMs / testMs, testMs, proofMs });
    }
    const of = (name: 'ratio' | 'testMs' | 'proofMs') => median(measured.map(m => m[name]));
    row(
      `proof of a patch, ${tests} tests`,
      `${of('ratio').toFixed(1)} x one run`,
      `${of('testMs')} ms a run, ${of('proofMs')} ms of proof`,
    );
  }
}
