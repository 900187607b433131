import { describe, expect, it } from 'vitest';
import { sharedPrompts } from '../../../src/agent/context/policy.ts';
import { parseProfile } from '../../../src/agent/context/profile.ts';
import { tools } from '../../../src/tools/index.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { root } from '../../root.ts';

const shipped = openShipped(root);
const shared = sharedPrompts(shipped);

describe('the hash of the prompt', () => {
  const names = tools.map(t => t.name);
  const profile = { path: 'prompts/photon.json', text: shipped.prompt('photon') ?? '' };
  const hash = (more: Partial<typeof shared>) =>
    parseProfile(profile, { ...shared, ...more }, names).sha256;

  it('covers the profile, the templates and the texts of tasks', () => {
    const spaced = ({ path, text }: typeof profile) => ({ path, text: `${text}\n` });
    const all = [
      hash({}),
      hash({ templates: spaced(shared.templates) }),
      hash({ tasks: spaced(shared.tasks) }),
    ];
    expect(new Set(all).size).toBe(3);
    expect(hash({})).toMatch(/^[0-9a-f]{64}$/);
  });
});
