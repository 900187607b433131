/** Workload identity federation of OpenAI. */
import { openaiExchange } from '../../../src/model/keys/openai.ts';
import { playExchange } from './exchanges.ts';

playExchange('openai', openaiExchange, 'https://auth.openai.com/oauth/token');
