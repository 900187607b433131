/** Folder of Photon itself. */
import { resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');
