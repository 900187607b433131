/** Rows of the detection table for JavaScript and TypeScript. Pure. */
import { asObject } from '../../base/schema-issue.ts';
import { type ProjectFolder, parseJsonObject } from '../shared/project-files.ts';
import { type Commands, findSign, plainRow, type Sign, type ToolRow } from '../shared/tool-row.ts';

/** What a package manager calls its commands. */
interface PackageManager {
  readonly install: string;
  /** Installs by the lock file, and fails if it does not fit the manifest. */
  readonly installLocked: string;
  readonly test: string;
  /** Starts a program of an installed package. */
  readonly exec: string;
  /** Runs the test script of each package that has one. */
  readonly testAll: string;
}

/** corepack starts the version of pnpm and yarn that the manifest names; it comes with Node. */
const managers = {
  npm: {
    install: 'npm install',
    installLocked: 'npm ci',
    test: 'npm test',
    exec: 'npx',
    testAll: 'npm test --workspaces --if-present',
  },
  pnpm: {
    install: 'corepack pnpm install',
    installLocked: 'corepack pnpm install --frozen-lockfile',
    test: 'corepack pnpm test',
    exec: 'corepack pnpm exec',
    testAll: 'corepack pnpm -r test',
  },
  yarn: {
    install: 'corepack yarn install',
    installLocked: 'corepack yarn install --frozen-lockfile',
    test: 'corepack yarn test',
    exec: 'corepack yarn run',
    testAll: 'corepack yarn workspaces run test',
  },
  'yarn (berry)': {
    install: 'corepack yarn install',
    installLocked: 'corepack yarn install --immutable',
    test: 'corepack yarn test',
    exec: 'corepack yarn run',
    testAll: 'corepack yarn workspaces foreach -A run test',
  },
  bun: {
    install: 'bun install',
    installLocked: 'bun install --frozen-lockfile',
    test: 'bun run test',
    exec: 'bunx',
    testAll: "bun run --filter '*' test",
  },
} as const satisfies Readonly<Record<string, PackageManager>>;

type ManagerName = keyof typeof managers;

/** Lock files, and the manager that writes each. */
const lockFiles: readonly (readonly [string, ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** The package manager of a folder: the field of the manifest decides before lock files. */
async function detectManager(folder: ProjectFolder): Promise<ManagerName> {
  const manifests = await folder.textsAtOrAbove('package.json');
  const fields = manifests.map(text => parseJsonObject(text).packageManager);
  const field = fields.find(value => typeof value === 'string') ?? '';
  const [, named, major] = /^(npm|pnpm|yarn|bun)@(\d*)/.exec(field) ?? [];
  const found =
    (named as ManagerName | undefined) ??
    lockFiles.find(([path]) => folder.hasAtOrAbove(path))?.[1] ??
    (folder.hasAtOrAbove('pnpm-workspace.yaml') ? 'pnpm' : 'npm');
  if (found !== 'yarn') return found;
  const [lock = ''] = await folder.textsAtOrAbove('yarn.lock');
  const berry =
    Number(major ?? 0) > 1 || folder.hasAtOrAbove('.yarnrc.yml') || /^__metadata:/m.test(lock);
  return berry ? 'yarn (berry)' : 'yarn';
}

async function installCommand(folder: ProjectFolder, name: ManagerName): Promise<string> {
  const manager = managers[name];
  const locked = lockFiles.some(
    ([path, of]) => folder.hasAtOrAbove(path) && managers[of].test === manager.test,
  );
  if (locked) return manager.installLocked;
  const manifest = await folder.json('package.json');
  const needs = ['dependencies', 'devDependencies', 'workspaces'].some(
    key => Object.keys((manifest[key] ?? {}) as object).length > 0,
  );
  return needs || folder.has('pnpm-workspace.yaml') ? manager.install : '';
}

const readTestScript = async (folder: ProjectFolder): Promise<string | undefined> => {
  const { scripts } = await folder.json('package.json');
  const { test } = asObject(scripts);
  return typeof test === 'string' && test.trim() !== '' && !/no test specified/.test(test)
    ? test
    : undefined;
};

/** A row for a package without a test script of its own. */
function withoutScript(
  row: Omit<ToolRow, 'find'>,
  findLine: (
    folder: ProjectFolder,
    manager: PackageManager,
  ) => Promise<[string, string] | undefined>,
): ToolRow {
  return {
    ...row,
    find: async folder => {
      if (!folder.has('package.json') || (await readTestScript(folder)) !== undefined)
        return undefined;
      const name = await detectManager(folder);
      const found = await findLine(folder, managers[name]);
      if (found === undefined) return undefined;
      const [because, command] = found;
      return { command, setup: await installCommand(folder, name), because };
    },
  };
}

/** A monorepo whose tool runs a task in each package. */
const monorepoTool = (
  tool: string,
  { sign, args, shownBy }: { readonly sign: Sign; readonly args: string; readonly shownBy: string },
): ToolRow =>
  withoutScript({ tool, shownBy }, async (folder, manager) => {
    const because = await findSign(folder, [sign]);
    return because === undefined ? undefined : [because, `${manager.exec} ${tool} ${args}`];
  });

const testFile = /(?:^|\/)(?:[^/]+[._](?:test|spec)|test-[^/]+|tests?\/[^/]+)\.[cm]?[jt]sx?$/;

/** A test library that the manifest names. */
const library = (tool: string, command: string): ToolRow =>
  withoutScript(
    { tool, shownBy: `no test script, and \`${tool}\` in the dependencies of \`package.json\`` },
    async (folder, manager) => {
      const { dependencies, devDependencies } = await folder.json('package.json');
      const names = { ...asObject(dependencies), ...asObject(devDependencies) };
      return tool in names ? ['package.json', `${manager.exec} ${command}`] : undefined;
    },
  );

const packageScript: ToolRow = {
  tool: 'package script',
  shownBy: "`scripts.test` of `package.json`, if it is not npm's placeholder",
  find: async (folder): Promise<Commands | undefined> => {
    if ((await readTestScript(folder)) === undefined) return undefined;
    const name = await detectManager(folder);
    const setup = await installCommand(folder, name);
    return { command: managers[name].test, setup, because: 'package.json' };
  },
};

const packages: ToolRow = withoutScript(
  {
    tool: 'workspaces',
    shownBy: '`workspaces` of `package.json`, or `pnpm-workspace.yaml` with packages',
  },
  async (folder, manager) => {
    const { workspaces } = await folder.json('package.json');
    const because = await findSign(folder, [['pnpm-workspace.yaml', /^packages\s*:/m]]);
    if (because === undefined && workspaces === undefined) return undefined;
    // without a single test script, there is nothing that this command could run
    const members = folder.paths.filter(p => /[^/]\/package\.json$/.test(p)).slice(0, 100);
    for (const path of members) {
      const { test } = asObject((await folder.json(path)).scripts);
      if (typeof test === 'string' && !/no test specified/.test(test))
        return [because ?? 'package.json', manager.testAll];
    }
    return undefined;
  },
);

const nodeTest: ToolRow = withoutScript(
  { tool: 'node --test', shownBy: 'no test script, and a test file that imports `node:test`' },
  async folder => {
    const files = folder.paths.filter(p => testFile.test(p) && /\.[cm]?js$/.test(p));
    for (const path of files.slice(0, 5))
      if (/['"]node:test['"]/.test((await folder.read(path)) ?? '')) return [path, 'node --test'];
    return undefined;
  },
);

const bunTest: ToolRow = withoutScript(
  { tool: 'bun test', shownBy: 'no test script, `bun.lock` or `bunfig.toml`, and test files' },
  async folder => {
    const because = await findSign(folder, ['bun.lock', 'bun.lockb', 'bunfig.toml']);
    const tests = folder.paths.some(p => /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(p));
    return because !== undefined && tests ? [because, 'bun test'] : undefined;
  },
);

const denoFiles = ['deno.json', 'deno.jsonc'];
const denoTask: readonly Sign[] = denoFiles.map(
  name => [name, /"tasks"\s*:/, /"test"\s*:/] as const,
);

/** In order. What the project itself names, so that they come before the tools of other languages. */
export const configuredTools: readonly ToolRow[] = [
  plainRow({
    tool: 'deno task',
    ecosystem: 'Deno',
    shownBy: '`tasks.test` of `deno.json` or `deno.jsonc`',
    signs: denoTask,
    command: 'deno task test',
    setup: 'deno install',
  }),
  packageScript,
  monorepoTool('turbo', {
    sign: ['turbo.json', /"(?:[\w@/-]+#)?test"\s*:/],
    args: 'run test',
    shownBy: 'no test script, and a task `test` in `turbo.json`',
  }),
  monorepoTool('nx', {
    sign: 'nx.json',
    args: 'run-many -t test',
    shownBy: 'no test script, and `nx.json`',
  }),
  packages,
];

/** In order. Only packages or test files show these, so that other languages come before them. */
export const guessedTools: readonly ToolRow[] = [
  library('vitest', 'vitest run'),
  library('jest', 'jest'),
  library('mocha', 'mocha'),
  bunTest,
  nodeTest,
  plainRow({
    tool: 'deno test',
    ecosystem: 'Deno',
    shownBy: '`deno.json`, `deno.jsonc` or `deno.lock`, and no `package.json`',
    signs: [...denoFiles, 'deno.lock'],
    unless: ['package.json'],
    command: 'deno test',
    setup: 'deno install',
  }),
];
