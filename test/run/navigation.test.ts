import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begin } from '../doubles/sample.ts';
import { giveUp, turn } from '../doubles/steps.ts';
import { root } from '../harness.ts';
import { playsVariants } from '../seed.ts';
import { play, toldOf } from './scenario.ts';

const spot = { symbol: 'orderTotal', file_path: 'test/price.test.js', line: 6 };

/** A language server in the untracked node_modules of the project. */
const withServer = (text: string | undefined) => (workspace: string) => {
  const bin = join(workspace, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  if (text === undefined)
    symlinkSync(join(root, 'node_modules/typescript/bin/tsc'), join(bin, 'tsc'));
  else writeFileSync(join(bin, 'tsc'), text, { mode: 0o755 });
};

describe('navigation in a run', () => {
  it("uses the project's language server inside the sandbox, and reports it", async () => {
    await play(
      {
        script: [begin, turn('find_definition', spot), turn('find_references', spot), giveUp],
        cloned: withServer(undefined),
        inputs: { 'sandbox-read': join(root, 'node_modules') }, // where the link leads
      },
      ({ ledger, outcome, model }) => {
        const facts = ledger.filter(e => /^find_/.test(String(e.tool))).map(e => e.facts);
        expect(facts).toEqual([
          { source: 'lsp (tsc)', places: 1 },
          { source: 'lsp (tsc)', places: expect.any(Number) },
        ]);
        expect(toldOf(model)).not.toContain('undefined');
        expect(outcome.notes).toEqual([]);
      },
    );
  });

  it('starts no server without a sandbox, and reports it', async () => {
    await play(
      {
        script: [begin, turn('find_definition', spot), giveUp],
        cloned: withServer('#!/bin/sh\ntouch started\n'),
        inputs: { sandbox: 'none', verify: 'none' },
      },
      ({ ledger, outcome }) => {
        expect(ledger.find(e => e.tool === 'find_definition')?.facts).toMatchObject({
          source: 'index',
        });
        expect(outcome.notes.join('\n')).toContain('there is no sandbox for it');
      },
    );
  });

  it.runIf(playsVariants)(
    'uses the index if the server fails, and the outcome says so',
    async () => {
      await play(
        {
          script: [begin, turn('find_definition', spot), giveUp],
          cloned: withServer('#!/bin/sh\nexit 3\n'),
        },
        ({ ledger, outcome, summary }) => {
          const entry = ledger.find(e => e.tool === 'find_definition');
          expect(entry).toMatchObject({
            decision: 'degrade',
            code: 'TOOL_FAILED',
            phase: 'NAVIGATE',
          });
          expect(entry?.facts).toEqual({ source: 'index', places: 1, partial: true });
          expect(outcome.degraded).toBe(true);
          expect(outcome.notes.join('\n')).toContain('The language server tsc failed');
          expect(summary).toContain('used the symbol index instead');
        },
      );
    },
  );
});
