/** Federation policies of OpenRouter. */
import { openrouterExchange } from '../../../src/model/keys/openrouter.ts';
import { playExchange } from './exchanges.ts';

playExchange('openrouter', openrouterExchange, 'https://openrouter.ai/api/v1/oauth/token');
