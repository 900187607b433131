/** The rows of SECRET_IN_PATCH. */
import { secretInPatch } from '../../../src/guard/rules/secret-in-patch.ts';
import { missing, playRows, read, write } from './cases.ts';

playRows(secretInPatch, 'violation SECRET_IN_PATCH §3.3', [
  [
    'in the text',
    [write('a.js', { added: 'key = s3cret' })],
    'the change contains the value of a secret of this run',
    { secret: 's3cret' },
  ],
  [
    'in the path',
    [write('s3cret')],
    'the change contains the value of a secret of this run',
    { secret: 's3cret', facts: { s3cret: missing } },
  ],
  ['a read holds none', [read('a.js', 1)], 'pass', { secret: 'a' }],
]);
