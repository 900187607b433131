/** Workflows that give the Action what it has no input for. */
import { expect, it } from 'vitest';
import { listMissingInputs } from '../../src/cli/workflow-inputs.ts';
import type { TrustedFiles } from '../../src/workspace/trusted/trusted-files.ts';

const find = (texts: Readonly<Record<string, string>>) =>
  listMissingInputs({
    list: async () => Object.keys(texts),
    read: async (path: string) => Buffer.from(texts[path] ?? ''),
  } as unknown as TrustedFiles);

const step = (uses: string, given: string) =>
  `jobs:\n  photon:\n    steps:\n      - run: npm ci\n      - uses: ${uses}\n        with: ${given}\n`;

it('are named with their file and with what to do', async () => {
  const texts = {
    '.github/workflows/a.yml': step(
      'photon/agent-action@v2',
      '{ task: x, reviewers: ann, moddel: m }',
    ),
    '.github/workflows/b.yaml': step('mirror/agent-action@v2', '{ dry-run: true }'),
  };
  expect(await find(texts)).toEqual([
    '.github/workflows/a.yml: reviewers is no input of the Action: set delivery.reviewers in .photon/config.json.',
    '.github/workflows/a.yml: moddel is no input of the Action. Did you mean model?',
    '.github/workflows/b.yaml: dry-run is no input of the Action: see docs/settings.md.',
  ]);
});

it('are neither those of other actions nor what is no workflow', async () => {
  const texts = {
    '.github/workflows/a.yml': step('actions/checkout@v5', '{ reviewers: ann }'),
    '.github/workflows/b.yml': step(
      'photon/agent-action@v2',
      '{ task: x, config: .photon/nightly.json }',
    ),
    '.github/workflows/c.yml': '{ broken: [',
    '.github/workflows/d.yml': 'jobs: [1]\n',
    '.github/workflows/e.yml': '',
    '.github/workflows/README.md': step('photon/agent-action@v2', '{ reviewers: ann }'),
  };
  expect(await find(texts)).toEqual([]);
});
