/** The rows of PATH_ESCAPE. */
import { pathEscape } from '../../../src/guard/rules/path-escape.ts';
import { file, missing, playRows, read, write } from './cases.ts';

playRows(pathEscape, 'violation PATH_ESCAPE §3.1', [
  ['a way out', [read('../x', 1)], '"../x" is not a path inside the workspace'],
  [
    'a long way out is cut',
    [read(`/${'y'.repeat(200)}`)],
    `"/${'y'.repeat(119)}" is absolute; a path begins at the root of the repository`,
  ],
  ['the root cannot be written', [write('.')], 'the root folder is not a file'],
  ['the root may be listed', [{ kind: 'navigate', path: '' }], 'pass'],
  ['nothing known', [read('b.js', 1)], 'b.js: nothing is known about this path'],
  [
    'a link on the way',
    [read('l/x', 1)],
    'l/x: l in this path is a link or submodule',
    { facts: { 'l/x': { ...missing, through: 'l' } } },
  ],
  ['a link', [read('l', 1)], 'l is a symbolic link', { facts: { l: { ...file, kind: 'link' } } }],
  [
    'a link that leads inside',
    [read('l', 1)],
    'abstain PATH_ESCAPE §3.1 l is a symbolic link to a.js; use that path',
    { facts: { l: { ...file, kind: 'link', leadsTo: 'a.js' } } },
  ],
  [
    'a change through such a link',
    [write('l/x')],
    'abstain PATH_ESCAPE §3.1 l/x leads through a link to d/x; use that path',
    { facts: { 'l/x': { ...missing, through: 'l', leadsTo: 'd/x' } } },
  ],
  [
    'a submodule',
    [{ kind: 'navigate', path: 'm' }],
    'm is a submodule',
    { facts: { m: { ...file, kind: 'submodule' } } },
  ],
  [
    'a new file with the name of a device on Windows',
    [write('src/aux.js')],
    'src/aux.js: no file can be named "aux.js" on Windows, so the branch could not be checked out there',
    { facts: { 'src/aux.js': missing } },
  ],
  [
    'a file with such a name that is there already',
    [write('src/aux.js')],
    'abstain NAVIGATION_MISSING §3.2 no listing, search or lookup in this run returned src/aux.js',
    { facts: { 'src/aux.js': file } },
  ],
  ['the second claim', [read('a.js', 1), read('~/x')], '"~/x" is not a path inside the workspace'],
  [
    "what a command redirects to is the sandbox's",
    [{ kind: 'redirect', path: '/dev/null' }],
    'pass',
  ],
  ['a claim without a path', [{ kind: 'run', commands: [['ls', '/']] }], 'pass'],
]);
