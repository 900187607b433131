/** Runs before every test file: generated input comes from the seed of the run. */
import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
