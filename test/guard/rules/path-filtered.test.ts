/** The rows of PATH_FILTERED. */
import { pathFiltered } from '../../../src/guard/rules/path-filtered.ts';
import { file, missing, playRows, read, write } from './cases.ts';

playRows(pathFiltered, 'abstain PATH_FILTERED §3.3', [
  [
    'a new file',
    [write('./a.csv', { change: 'replace', ranges: [] })],
    'git stores a.csv (filter=lfs) in a form that Photon cannot make; nothing was done, so leave this file out and go on with the others',
    { facts: { 'a.csv': { ...missing, converted: 'filter=lfs' } } },
  ],
  [
    'files of a plan',
    [{ kind: 'plan', files: ['a.js', 'a.csv', 'b.rc'], maxChangedLines: 9 }],
    'git stores a.csv (filter=lfs), b.rc (ident) in a form that Photon cannot make; nothing was done, so leave these files out and go on with the others',
    {
      call: { tool: 'plan' },
      facts: {
        'a.csv': { ...missing, converted: 'filter=lfs' },
        'b.rc': { ...file, converted: 'ident' },
      },
    },
  ],
  ['a read', [read('a.js', 1)], 'pass', { facts: { 'a.js': { ...file, converted: 'ident' } } }],
]);
