/** Federated credentials of Microsoft Entra. */
import { azureExchange } from '../../../src/model/keys/azure.ts';
import { playExchange, uuid } from './exchanges.ts';

playExchange('azure', azureExchange, `https://login.microsoftonline.com/${uuid}/oauth2/v2.0/token`);
