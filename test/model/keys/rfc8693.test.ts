/** A token exchange by RFC 8693 alone. */
import { rfc8693Exchange } from '../../../src/model/keys/rfc8693.ts';
import { playExchange } from './exchanges.ts';

playExchange('rfc8693', rfc8693Exchange);
