/** Runs before every test file: generated input comes from the seed of the run. */
import { takeCoverage } from 'node:v8';
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { seed } from './seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

// a worker is ended without a chance to write it
if (process.env.NODE_V8_COVERAGE !== undefined) afterAll(() => takeCoverage());
