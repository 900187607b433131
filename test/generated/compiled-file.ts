/** Renders the shipped texts as plain data, which a run reads in place of parsing them (`assets/compiled.generated.json`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPolicy, loadSettings, loadTaskTexts } from '../../src/agent/context/policy.ts';
import { parseConstitution } from '../../src/guard/policy/parse-constitution.ts';
import { digest } from '../../src/ledger/ledger.ts';
import { parseBoundary } from '../../src/skills/boundary.ts';
import { findBoundaryEnd } from '../../src/skills/skill-text.ts';
import { openShipped, type Shipped } from '../../src/workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../src/workspace/trusted/trusted-files.ts';
import { root } from '../root.ts';

/** The shipped files without what an earlier build made of them. */
export function uncompiled(): Shipped {
  return {
    ...openShipped(root),
    compiled: () => undefined,
    skills: openFolderFiles(join(root, 'skills')),
  };
}

/** Renders the texts of constitution, skills and prompts; prompts are JSON already, so they are only checked. */
export async function renderCompiledFile(): Promise<string> {
  const shipped = uncompiled();
  const entry = (text: string, data: unknown) => ({ sha256: digest(text), data });
  const constitution = 'constitution/photon.md';
  const skills = (await shipped.skills.list(''))
    .filter(path => /^[^/]+\/SKILL\.md$/.test(path))
    .map(path => {
      const bytes = readFileSync(join(root, 'skills', path));
      const text = bytes.subarray(0, findBoundaryEnd(bytes) ?? 0).toString('utf8');
      const place = {
        origin: 'photon',
        folder: path.slice(0, -9),
        path: `photon:${path}`,
      } as const;
      return [`skills/${path}`, entry(text, parseBoundary(text, place))] as const;
    });
  const kinds = ['templates', 'tasks'];
  const prompts = [...kinds, ...profiles].map(name => {
    const text = shipped.prompt(name) ?? '';
    return [`prompts/${name}.json`, entry(text, kinds.includes(name) ? name : 'profile')] as const;
  });
  await checkPrompts(shipped);
  const all = {
    [constitution]: entry(
      shipped.constitution,
      parseConstitution(shipped.constitution, constitution),
    ),
    ...Object.fromEntries([...skills.sort(([a], [b]) => (a < b ? -1 : 1)), ...prompts]),
  };
  return `${JSON.stringify(all, null, 1)}\n`;
}

const profiles = ['photon', 'kjxlkj-agent'];

/** Reads the shipped prompts by their schemas. It throws for a mistake in them. */
async function checkPrompts(shipped: Shipped): Promise<void> {
  loadTaskTexts(shipped);
  const trusted = openFolderFiles(join(root, 'test', 'fixtures', 'none'));
  for (const profile of profiles) {
    const settings = await loadSettings(
      { 'agent-profile': profile, model: 'm', 'base-url': 'http://127.0.0.1' },
      trusted,
    );
    await loadPolicy({ settings, trusted, shipped });
  }
}
