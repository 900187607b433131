/** Federated credentials of Microsoft Entra, for Azure OpenAI. */
import type { KeyExchangePreset } from './preset.ts';

/**
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow (the third case), with the
 * audience of https://learn.microsoft.com/entra/workload-id/workload-identity-federation-create-trust
 */
export const azureExchange: KeyExchangePreset = {
  audience: ({ audience }) => audience || 'api://AzureADTokenExchange',
  requests: ({ url, ids: { tenant_id = '', client_id = '', scope } }) => [
    token => ({
      url:
        url ||
        `https://login.microsoftonline.com/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
      form: {
        client_id,
        scope: scope ?? 'https://cognitiveservices.azure.com/.default',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: token,
        grant_type: 'client_credentials',
      },
    }),
  ],
};
