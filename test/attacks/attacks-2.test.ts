import { playAttacks } from './play.ts';

playAttacks(1);
