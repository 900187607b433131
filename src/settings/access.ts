/** Settings of the access to GitHub. */
import { PhotonError } from '../base/codes.ts';
import { githubSetting, textValue } from './setting.ts';

export const accessSettings = {
  githubToken: githubSetting(textValue(), {
    input: 'github-token',
    default: '',
    actionDefault: '$' + '{{ github.token }}',
    secret: true,
    description:
      'Token that reads the event and publishes the result. It needs contents: write, pull-requests: write and issues: write.',
  }),
  appId: githubSetting(textValue(), {
    input: 'app-id',
    default: '',
    omit: true,
    description: 'Id of a GitHub App that acts instead of github-token. It needs private-key.',
  }),
  privateKey: githubSetting(textValue(), {
    input: 'private-key',
    default: '',
    secret: true,
    omit: true,
    description: 'Private key of the GitHub App, in PEM format.',
  }),
} as const;

export interface AppSettings {
  readonly appId: string;
  readonly privateKey: string;
}

/**
 * The App from its two settings; undefined if neither is set.
 * @throws PhotonError `SETTING_INVALID` for one without the other.
 */
export function readAppSettings({ appId, privateKey }: AppSettings): AppSettings | undefined {
  if (appId === '' && privateKey === '') return undefined;
  if (appId === '' || privateKey === '')
    throw new PhotonError('SETTING_INVALID', 'app-id and private-key belong together.');
  return { appId, privateKey };
}
