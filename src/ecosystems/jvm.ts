/** The Java virtual machine: Java, Kotlin, Groovy and Scala. */
import type { Ecosystem } from './ecosystem.ts';
import { countOne, firstLine, numberAfter } from './shared/output.ts';
import { matchVersions, type NamedVersion, type PackageList } from './shared/package-list.ts';
import type { ProjectFiles, ProjectFolder } from './shared/project-files.ts';
import { type Commands, plainRow } from './shared/tool-row.ts';

const gradleFiles = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];

const multiplatform =
  /kotlin\(["']multiplatform["']\)|kotlin\.multiplatform|kotlin-multiplatform|kotlinMultiplatform|multiplatform-(?:convention|library)/;
/** Builds whose tests the task `test` runs. */
const plainPlugins =
  /^[ \t]*(?:kotlin\(["']jvm["']\)|java\b|`java(?:-library)?`|`kotlin-dsl`|id[ (]+["'](?:java|java-library|org\.jetbrains\.kotlin\.jvm|com\.android\.\w+)["'])(?![^\n]*apply[ (]*false)/m;
const maxBuilds = 40;
const isBuild = /(?:^|\/)build\.gradle(?:\.kts)?$/;

/** Projects of Kotlin Multiplatform have no task `test`, only one for each target. */
async function findGradle(folder: ProjectFolder): Promise<Commands | undefined> {
  const because = gradleFiles.find(folder.has);
  if (because === undefined) return undefined;
  const builds = folder.paths.filter(path => isBuild.test(path));
  const nearest = builds.sort((a, b) => a.split('/').length - b.split('/').length);
  const modules = await Promise.all(
    nearest.slice(0, maxBuilds).map(async path => {
      const text = ((await folder.read(path)) ?? '').replace(/^[^\n]*apply[ (]*false.*$/gm, '');
      const tests = `${path.slice(0, path.lastIndexOf('/') + 1)}src/test/`;
      const isPlain = plainPlugins.test(text) && folder.paths.some(p => p.startsWith(tests));
      return { text, isPlain };
    }),
  );
  const multi = modules.filter(({ text }) => multiplatform.test(text));
  const isMulti = multi.length > 0;
  const isPlain = !isMulti || modules.some(module => module.isPlain && !multi.includes(module));
  const onJvm = multi.some(({ text }) => /\bjvm\b *[({]|\bandroidTarget\b/.test(text));
  const tasks = [isPlain ? 'test' : '', isMulti ? (onJvm ? 'jvmTest' : 'allTests') : ''];
  const program = folder.has('gradlew') ? './gradlew' : 'gradle';
  const run = (names: readonly string[]) => [program, ...names.filter(Boolean)].join(' ');
  const classes = [isPlain ? 'testClasses' : '', onJvm ? 'jvmTestClasses' : ''];
  return {
    command: run(tasks),
    setup: run(classes.join('') === '' ? ['assemble'] : classes),
    because,
  };
}

/** The distribution of the wrapper, then plugins and modules with a version of their own. */
async function listGradlePackages(files: ProjectFiles): Promise<readonly string[]> {
  const builds = files.paths.filter(path => isBuild.test(path)).slice(0, maxBuilds);
  const wrapper = 'gradle/wrapper/gradle-wrapper.properties';
  const texts = await readAll(files, [...builds, 'gradle/libs.versions.toml']);
  return [
    ...findAll(await readAll(files, [wrapper]), /^distributionUrl=.*\/([\w.-]+)\.zip$/gm),
    ...findAll(texts, /\bid[ (]+["']([\w.-]+)["']\)?[ \t]+version\b/g),
    ...findAll(texts, /["'][\w.-]+:([\w.-]+)(?::[\w.${}-]*)?["']/g),
  ];
}

/** sbt and Scala by their versions, then plugins and libraries. */
async function listSbtPackages(files: ProjectFiles): Promise<readonly string[]> {
  const own = await readAll(files, ['build.sbt', 'project/plugins.sbt']);
  const versions = await readAll(files, ['project/build.properties']);
  return [
    ...findAll(versions, /^sbt\.version *= *(\S+)/gm).map(version => `sbt ${version}`),
    ...findAll(own, /\bscalaVersion *:= *"([^"\n]+)"/g).map(version => `scala ${version}`),
    ...findAll(own, /"[\w.-]+" *%{1,3} *"([\w.-]+)" *%/g),
  ];
}

const readAll = (files: ProjectFiles, paths: readonly string[]) =>
  Promise.all(paths.map(async path => (await files.read(path)) ?? ''));

/** What the first group of a pattern finds in texts, each once. */
const findAll = (texts: readonly string[], pattern: RegExp): readonly string[] => [
  ...new Set(texts.flatMap(text => [...text.matchAll(pattern)].map(([, name = '']) => name))),
];

/** The parent and the dependencies of a pom.xml that state a version, or a property that the file sets. */
function readPom(text: string): readonly NamedVersion[] {
  return text
    .split(/<(?:dependency|parent)>/)
    .slice(1)
    .flatMap(part => {
      const read = (name: string) =>
        new RegExp(`<${name}>\\s*([^<>\\s]+)\\s*</${name}>`).exec(
          part.split(/<\/(?:dependency|parent)>/)[0] ?? '',
        );
      const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map(
        n => read(n)?.[1],
      );
      return version === undefined ? [] : [[`${group}:${artifact}`, version] as const];
    });
}

const packageLists: readonly PackageList[] = [
  { files: /(?:^|\/)pom\.xml$/, source: 'maven', read: readPom },
  {
    files: /\.gradle(?:\.kts)?$|\.versions\.toml$/,
    source: 'maven',
    read: text =>
      matchVersions(
        text,
        /['"]([\w.-]+:[\w.-]+)(?::|["'], *version *= *["'])(\d[\w.+-]*)(?:[:@][\w@-]+)?['"]/g,
      ),
  },
  {
    files: /(?:^|\/)gradle\.lockfile$/,
    source: 'maven',
    read: text => matchVersions(text, /^([\w.-]+:[\w.-]+):(\d[^=\s]*)=/gm),
  },
];

export const jvm: Ecosystem = {
  packageLists,
  packages: [
    {
      starts: /^mvnw?\b/,
      program: 'java',
      needs: async files =>
        [...((await files.read('pom.xml')) ?? '').matchAll(/<artifactId>([^<]+)</g)]
          .slice(1)
          .map(([, name = '']) => name),
      places: ['~/.m2/repository'],
    },
    {
      starts: /^gradlew?\b/,
      program: 'java',
      needs: listGradlePackages,
      places: ['$GRADLE_USER_HOME/caches/modules-2', '~/.gradle/caches/modules-2'],
    },
    {
      starts: /^sbt\b/,
      program: 'java',
      needs: listSbtPackages,
      places: [
        '$COURSIER_CACHE',
        '~/.cache/coursier',
        '~/Library/Caches/Coursier',
        '~/.ivy2/cache',
      ],
    },
  ],
  name: 'JVM',
  detection: {
    manifests: /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|build\.sbt)$/,
    sources: {
      Java: /\.java$/,
      'Java, Kotlin': /\.(?:java|kts?|groovy)$/,
      Scala: /\.scala$/,
    },
    tools: [
      plainRow({
        tool: 'maven',
        ecosystem: 'Java',
        shownBy: '`pom.xml`, with its wrapper `mvnw` if there is one',
        signs: ['pom.xml'],
        // without -q, which hides how many tests ran
        command: 'mvn -B test',
        commands: { mvnw: './mvnw -B test' },
        setup: 'mvn -B -q dependency:go-offline',
        setups: { mvnw: './mvnw -B -q dependency:go-offline' },
      }),
      {
        tool: 'gradle',
        ecosystem: 'Java, Kotlin',
        shownBy:
          '`build.gradle` or `settings.gradle`, also with `.kts`, with its wrapper `gradlew` if there is one; `jvmTest` for Kotlin Multiplatform',
        find: findGradle,
      },
      plainRow({
        tool: 'sbt',
        ecosystem: 'Scala',
        shownBy: '`build.sbt`',
        signs: ['build.sbt'],
        command: 'sbt test',
        setup: 'sbt update',
      }),
    ],
  },
  paths: {
    '@tests': [/(^|\/)[^/]*(Test|Tests|Spec|IT)\.(java|kt|kts|scala|groovy)$/],
    '@check-config': [/(^|\/)(detekt[^/]*\.yml|checkstyle[^/]*\.xml)$/i],
    '@manifests': [/(^|\/)(pom\.xml|[^/]*\.(gradle(\.kts)?|sbt)|gradle\.properties)$/],
  },
  testCode: {
    libraries: [
      /^[ \t]*import\s+(?:static\s+)?(?:org\.junit|org\.testng|org\.scalatest|io\.kotest)\b/m,
    ],
    definitions: [
      // of PHP and .NET, too
      /^[ \t]*(?:public |private |async |suspend )*(?:fun|void|function) (test\w+|`[^`]+`)\s*\(/gm,
      /^[ \t]*@Test\b[^\n]*\n(?:[ \t]*@[^\n]*\n)*[^\n(]*?(\w+)\s*\(/gm,
    ],
    exits: [
      /\bSystem\s*\.\s*exit\s*\(\s*0\s*\)/,
      /\bRuntime\s*\.\s*getRuntime\s*\(\s*\)\s*\.\s*halt\b/,
    ],
  },
  influence: {
    installed: [/(^|\/)(org\/junit|junit\/framework|org\/testng|org\/hamcrest|org\/mockito)\//],
    builds: [/(^|\/)gradle\.properties$/],
  },
  commands: {
    starts: [
      /^mvnw?\b.* (?:test|verify|install|package)\b/,
      /^gradlew?\b.* (?:\S*:)?(?:\w*[tT]ests?|check|build)\b/,
      /^sbt\b.*\b(?:test|testAll|validate\w*)\b/,
    ],
  },
  runners: [
    {
      runner: 'maven',
      failure: /^\[ERROR\] +(?!Tests run)(\S.*?)(?: --)? +Time elapsed: .*<<< (?:FAILURE|ERROR)!/,
      line: /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+(?:, (?:Skipped|Flakes): \d+)*$/,
      count: text => {
        const failed = numberAfter(text, 'Failures:') + numberAfter(text, 'Errors:');
        const skipped = numberAfter(firstLine(text), 'Skipped:');
        return { ran: numberAfter(text, 'Tests run:') - skipped, failed };
      },
      nothing: [/^\[INFO\] (?:No tests to run|Tests are skipped)\.$/],
    },
    {
      runner: 'gradle',
      failure: /^(\S.* > .*) FAILED$/,
      countsParts: true,
      line: /^> Task (?:\S*:)?(?:test|test\w*UnitTest|(?:jvm|js|native|integration|functional)Test)(?: FAILED| UP-TO-DATE| FROM-CACHE)?$/,
      count: text => countOne(firstLine(text).endsWith(' FAILED')),
      nothing: [/^> Task (?:\S*:)?\w*[tT]est\w* (?:NO-SOURCE|SKIPPED)$/],
    },
    {
      runner: 'sbt',
      failure: /^\[info\] - (.*) \*\*\* FAILED \*\*\*/,
      line: /^\[\w+\] (?:Passed|Failed|Error): Total \d+, Failed \d+, Errors \d+/,
      count: text => {
        const line = firstLine(text);
        const failed = numberAfter(line, ', Failed') + numberAfter(line, ', Errors');
        return { ran: numberAfter(line, ', Passed') + failed, failed };
      },
      nothing: [/^\[info\] No tests (?:were executed\.|to run for .*)$/],
    },
  ],
};
