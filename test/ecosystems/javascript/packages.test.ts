/** What the files of JavaScript name, in the form in which its tools write them. */
import { json, listsVersions } from '../project.ts';

listsVersions([
  [
    'package.json',
    json({ dependencies: { a: '^1.2.3', b: 'workspace:*', c: 'npm:d@~2.0.0', e: '*', f: '1.x' } }),
    ['npm a 1.2.3', 'npm d 2.0.0', 'npm f 1'],
  ],
  [
    'package-lock.json',
    json({
      lockfileVersion: 3,
      packages: {
        '': { name: 'own', version: '1.0.0' },
        'node_modules/@x/y': { version: '1.0.0' },
        'node_modules/a/node_modules/b': { version: '2.0.0-rc.1' },
        'node_modules/alias': { name: 'real', version: '3.0.0' },
        'node_modules/own': { link: true, version: '1.0.0' },
      },
    }),
    ['npm @x/y 1.0.0', 'npm b 2.0.0-rc.1', 'npm real 3.0.0'],
  ],
  [
    'npm-shrinkwrap.json',
    json({ dependencies: { a: { version: '1.0.0', dependencies: { b: { version: '2.0.0' } } } } }),
    ['npm a 1.0.0', 'npm b 2.0.0'],
  ],
  [
    'web/yarn.lock',
    '"@x/y@^1.0.0", "@x/y@^1.1.0":\n  version "1.2.0"\n  resolved "https://r/y.tgz"\n\na@^1.0.0:\n  version "1.0.1"\n',
    ['npm @x/y 1.2.0', 'npm a 1.0.1'],
  ],
  [
    'yarn.lock',
    '"a@npm:^1.0.0":\n  version: 1.0.1\n  resolution: "a@npm:1.0.1"\n',
    ['npm a 1.0.1'],
  ],
  [
    'pnpm-lock.yaml',
    "lockfileVersion: '9.0'\n\nimporters:\n\n  packages/z:\n    dependencies:\n\npackages:\n\n  '@x/y@1.2.0':\n    resolution: {}\n\n  a@1.0.1:\n    resolution: {}\n\nsnapshots:\n\n  a@1.0.1(b@2.0.0):\n    x: 1\n",
    ['npm @x/y 1.2.0', 'npm a 1.0.1'],
  ],
  [
    'pnpm-lock.yaml',
    'packages:\n\n  /@x/y@1.2.0:\n    dev: true\n  /a/1.0.1:\n',
    ['npm @x/y 1.2.0', 'npm a 1.0.1'],
  ],
  [
    'pnpm-lock.yaml',
    'overrides:\n  a@1.0.0: 1.0.1\n\nimporters:\n\n  examples/01-basic:\n    dependencies: {}\n\npackages:\n\n  a@1.0.1:\n    resolution: {}\n',
    ['npm a 1.0.1'],
  ],
  [
    'package-lock.json',
    json({ lockfileVersion: 1, dependencies: { good: { version: 'npm:@x/evil@1.0.0' } } }),
    ['npm @x/evil 1.0.0'],
  ],
  [
    'yarn.lock',
    'good@npm:evil@^1.0.0:\n  version "1.0.0"\n\n"b@npm:^1.0.0, b@npm:^1.1.0":\n  version: 1.1.0\n\n"own@workspace:.":\n  version: 0.0.0-use.local\n',
    ['npm evil 1.0.0', 'npm b 1.1.0'],
  ],
  [
    'bun.lock',
    '{\n  "packages": {\n    "@x/y": ["@x/y@1.2.0", "", {}, "sha512-"],\n  }\n}\n',
    ['npm @x/y 1.2.0'],
  ],
]);
