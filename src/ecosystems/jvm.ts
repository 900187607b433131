/** The Java virtual machine: Java, Kotlin, Groovy and Scala. */
import type { Ecosystem } from './ecosystem.ts';
import { countOne, firstLine, numberAfter } from './shared/output.ts';
import { matchVersions, type NamedVersion, type PackageList } from './shared/package-list.ts';
import { listNames } from './shared/project-files.ts';
import { plainRow } from './shared/tool-row.ts';

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
      needs: listNames(/^pom\.xml$/, /<dependency>[\s\S]{0,300}?<artifactId>([^<]+)</g),
      places: ['~/.m2/repository'],
    },
    {
      starts: /^gradlew?\b/,
      program: 'java',
      needs: listNames(
        /(?:^|\/)build\.gradle(?:\.kts)?$|^gradle\/libs\.versions\.toml$/,
        /["'][\w.-]+:([\w.-]+)(?::[\w.${}-]*)?["']/g,
      ),
      places: ['$GRADLE_USER_HOME/caches/modules-2', '~/.gradle/caches/modules-2'],
    },
    {
      starts: /^sbt\b/,
      program: 'java',
      needs: listNames(/^(?:build|project\/plugins)\.sbt$/, /"[\w.-]+" *%{1,3} *"([\w.-]+)" *%/g),
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
      plainRow({
        tool: 'gradle',
        ecosystem: 'Java, Kotlin',
        shownBy:
          '`build.gradle` or `settings.gradle`, also with `.kts`, with its wrapper `gradlew` if there is one',
        signs: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
        command: 'gradle test',
        commands: { gradlew: './gradlew test' },
        setup: 'gradle testClasses',
        setups: { gradlew: './gradlew testClasses' },
      }),
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
