/** What the inputs of the action of OpenCode are at Photon. */
import { notes, type SourceAgent, shared } from './source-agent.ts';

/** Addresses of endpoints that neither a key nor a model tells. */
const addresses: ReadonlyMap<string, string> = new Map([
  ['opencode', 'https://opencode.ai/zen/v1'],
  ['openrouter', 'https://openrouter.ai/api/v1'],
]);

export const openCode: SourceAgent = {
  name: 'opencode',
  title: 'OpenCode',
  uses: /^(?:sst|anomalyco)\/opencode\/github$/,
  source: 'https://github.com/anomalyco/opencode/blob/dev/github/action.yml',
  inputs: {
    model: {
      to: 'model',
      read: value => {
        const [, vendor = '', model = ''] = /^([a-z0-9-]+)\/(\S+)$/.exec(value) ?? [];
        const address = addresses.get(vendor);
        if (model === '') return value;
        return address === undefined ? model : { model, 'base-url': address };
      },
      note: 'Without the vendor in front: the key tells it, or base-url.',
    },
    prompt: { to: 'task' },
    mentions: shared.triggerWords,
    variant: { to: 'reasoning-effort' },
    agent: notes.profile,
    share: `Nothing is shared. ${notes.session}`,
    use_github_token: {
      here: 'Photon acts with the token of the workflow, or with a GitHub App of yours.',
    },
    oidc_base_url: 'Photon uses no App of its own: app-id and private-key name yours.',
  },
  defaults: { mentions: '/opencode,/oc' },
  outputs: {},
};
