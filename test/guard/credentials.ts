/** Random values that look like credentials. */
import { randomOf } from '../seed.ts';

const random = randomOf('credentials');

const chars = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwyz23456789';

/** Random, and never what a placeholder looks like. */
export const some = (length: number, from = chars) =>
  `k7Q${Array.from({ length }, (_, i) => from[(Math.floor(random() * 9) + i * 9) % from.length]).join('')}`.slice(
    0,
    length,
  );
