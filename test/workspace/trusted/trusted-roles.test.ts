/** What a run follows joins the protected and the flagged paths by its role, wherever it lies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { protectedMatcher } from '../../../src/guard/paths.ts';
import { parseConstitution } from '../../../src/guard/policy/parse-constitution.ts';
import { parseSettings } from '../../../src/settings/settings.ts';
import { findInstructionFiles } from '../../../src/workspace/trusted/instruction-files.ts';
import type { TrustedFiles } from '../../../src/workspace/trusted/trusted-files.ts';
import { withTrustedRoles } from '../../../src/workspace/trusted/trusted-roles.ts';
import { root } from '../../root.ts';

const shipped = parseConstitution(
  readFileSync(join(root, 'constitution', 'photon.md'), 'utf8'),
  'constitution/photon.md',
);

const files: Readonly<Record<string, string>> = {
  'AGENTS.md': '@docs/rules.md',
  'docs/rules.md': 'Keep it short.',
  'tools/server.js': '',
  'src/price.js': '',
};

/** Files in memory. */
const trusted: TrustedFiles = {
  list: async () => Object.keys(files),
  links: async () => [],
  head: async (path: string) => {
    const text = files[path];
    return text === undefined ? undefined : { size: text.length, bytes: Buffer.from(text) };
  },
  read: async (path: string) => Buffer.from(files[path] ?? ''),
} as unknown as TrustedFiles;

const settings = parseSettings(
  {
    'base-url': 'https://llm.example/v1',
    model: 'm',
    config: 'ops/photon (1).json',
    'agent-profile': 'tools/prompts/own.json',
  },
  {
    agent: { skillRoots: ['photon:*', 'tools/skills', 'lib/te*', './one/skill/'] },
    mcp: { servers: { own: { command: ['node', './tools/server.js', '--stdio'], tools: {} } } },
    review: { schema: 'review/shape.json' },
  } as never,
);

it.each<[path: string, held: 'protected' | 'flagged' | 'free']>([
  ['tools/skills/x/SKILL.md', 'protected'],
  ['tools/skills/new/scripts/run.js', 'protected'],
  ['Tools/Skills/x/SKILL.md', 'protected'],
  ['lib/text/SKILL.md', 'protected'],
  ['lib/other/SKILL.md', 'free'],
  ['one/skill/SKILL.md', 'protected'],
  ['ops/photon (1).json', 'protected'],
  ['ops/photon.json', 'free'],
  ['tools/prompts/own.json', 'protected'],
  ['review/shape.json', 'protected'],
  ['src/constitution.md', 'protected'],
  ['AGENTS.md', 'flagged'],
  ['docs/rules.md', 'flagged'],
  ['docs/other.md', 'free'],
  ['tools/server.js', 'flagged'],
  ['src/price.js', 'free'],
])('%s is %s', async (path, held) => {
  const instructions = await findInstructionFiles(trusted);
  const policy = await withTrustedRoles(shipped, settings, { trusted, instructions });
  const isProtected = protectedMatcher(policy.protectedPaths)(path) !== undefined;
  const isFlagged = protectedMatcher(policy.flaggedPaths)(path) !== undefined;
  expect(isProtected ? 'protected' : isFlagged ? 'flagged' : 'free').toBe(held);
});
