/** The repairs that the template `import` makes, in each language that it knows. */
import { missingImport } from '../../../../src/repair/candidates/templates/import.ts';
import { playRepairs } from './repairs.ts';

playRepairs(missingImport, [
  [
    'a.py',
    'def f(n):\n    return math.floor(n)\n',
    'import math\ndef f(n):\n    return math.floor(n)\n',
  ],
  [
    'a.js',
    "'use strict';\nexports.f = n => path.join(n);\n",
    "'use strict';\nconst path = require('node:path');\nexports.f = n => path.join(n);\n",
  ],
]);
