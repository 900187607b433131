import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadPolicy, loadSettings } from '../../../src/agent/context/policy.ts';
import { openShipped, type ShippedAssets } from '../../../src/workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../../src/workspace/trusted/trusted-files.ts';
import { discard, makeFolder, root } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));
const trusted = openFolderFiles(join(root, 'test', 'fixtures', 'none'));

async function policyOver(shipped: ShippedAssets, profile = 'photon') {
  const inputs = { 'agent-profile': profile, model: 'm', 'base-url': 'http://127.0.0.1' };
  const settings = await loadSettings(inputs, trusted);
  const {
    skillSource: _source,
    instructions: _read,
    ...policy
  } = await loadPolicy({ settings, trusted, shipped });
  return policy;
}

it('a shipped file that a user changed is what a run reads', async () => {
  for (const name of ['assets', 'constitution', 'prompts', 'skills', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const change = (path: string, from: string, to: string) => {
    const text = readFileSync(join(folder, path), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder, path), text.replace(from, to));
  };
  change('constitution/photon.md', 'read_lines: 500', 'read_lines: 7');
  change('skills/ci-repair/SKILL.md', 'description: ', 'description: Changed. ');
  change('prompts/photon.json', '"agent_name": "', '"agent_name": 1, "other": "');
  const shipped = openShipped(folder);
  await expect(policyOver(shipped)).rejects.toThrow('/agent_name');
  const { constitution, skills } = await policyOver(shipped, 'kjxlkj-agent');
  expect(constitution.limits.read_lines).toBe(7);
  expect(skills.find(s => s.name === 'ci-repair')?.description).toMatch(/^Changed\. /);
});
