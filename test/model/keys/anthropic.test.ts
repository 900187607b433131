/** Workload identity federation of Anthropic. */
import { anthropicExchange } from '../../../src/model/keys/anthropic.ts';
import { playExchange } from './exchanges.ts';

playExchange('anthropic', anthropicExchange, 'https://api.anthropic.com/v1/oauth/token');
