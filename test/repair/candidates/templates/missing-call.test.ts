/** The repairs that the template `missing-call` makes, in each language that it knows. */
import { missingCall } from '../../../../src/repair/candidates/templates/missing-call.ts';
import { playRepairs } from './repairs.ts';

playRepairs(missingCall, [
  [
    'js',
    '  const found = [];\n  for (const one of list) {\n    n(one);\n  }\n  return found;',
    '  const found = [];\n  for (const one of list) {\n    n(one);\n    found.push(one);\n  }\n  return found;',
  ],
  [
    'py',
    '    seen = set()\n    for one in items:\n        n(one)\n    return seen',
    '    seen = set()\n    for one in items:\n        n(one)\n        seen.add(one)\n    return seen',
  ],
  [
    'a.js',
    'function f(seen) {\n  return from => {\n    seen = seen.slice();\n    return seen;\n  };\n}\n',
    'function f(seen) {\n  return from => {\n    seen = seen.slice();\n    seen.push(from);\n    return seen;\n  };\n}\n',
  ],
]);
