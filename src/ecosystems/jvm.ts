/** The Java virtual machine: Java, Kotlin, Groovy, Scala and Clojure. */
import type { Ecosystem } from './ecosystem.ts';
import { countOne, firstLine, numberAfter, numberBefore } from './shared/output.ts';
import { plainRow } from './shared/tool-row.ts';

const gradleFiles = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];

export const jvm: Ecosystem = {
  name: 'JVM',
  detection: {
    manifests: /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|build\.sbt|project\.clj)$/,
    sources: {
      Java: /\.java$/,
      'Java, Kotlin': /\.(?:java|kts?|groovy)$/,
      Scala: /\.scala$/,
      Clojure: /\.clj[cs]?$/,
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
        signs: gradleFiles,
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
      plainRow({
        tool: 'lein',
        ecosystem: 'Clojure',
        shownBy: '`project.clj`',
        signs: ['project.clj'],
        command: 'lein test',
        setup: 'lein deps',
      }),
    ],
  },
  paths: {
    '@tests': [/(^|\/)[^/]*(Test|Tests|Spec|IT)\.(java|kt|kts|scala|groovy)$/],
    '@check-config': [/(^|\/)(detekt[^/]*\.yml|checkstyle[^/]*\.xml)$/i],
    '@manifests': [/(^|\/)(pom\.xml|[^/]*\.gradle(\.kts)?|gradle\.properties)$/],
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
  commands: { installers: [/lein deps/] },
  runners: [
    {
      runner: 'maven',
      summaries: [
        {
          line: /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?$/,
          count: text => {
            const failed = numberAfter(text, 'Failures:') + numberAfter(text, 'Errors:');
            const skipped = numberAfter(firstLine(text), 'Skipped:');
            return { ran: numberAfter(text, 'Tests run:') - skipped, failed };
          },
        },
      ],
      nothing: [/^\[INFO\] (?:No tests to run|Tests are skipped)\.$/],
    },
    {
      runner: 'gradle',
      countsParts: true,
      summaries: [
        {
          line: /^> Task (?:\S*:)?(?:test|test\w*UnitTest|(?:jvm|js|native|integration|functional)Test)(?: FAILED| UP-TO-DATE| FROM-CACHE)?$/,
          count: text => countOne(firstLine(text).endsWith(' FAILED')),
        },
      ],
      nothing: [/^> Task (?:\S*:)?\w*[tT]est\w* (?:NO-SOURCE|SKIPPED)$/],
    },
    {
      runner: 'sbt',
      summaries: [
        {
          line: /^\[\w+\] (?:Passed|Failed|Error): Total \d+, Failed \d+, Errors \d+/,
          count: text => {
            const line = firstLine(text);
            const failed = numberAfter(line, ', Failed') + numberAfter(line, ', Errors');
            return { ran: numberAfter(line, ', Passed') + failed, failed };
          },
        },
      ],
      nothing: [/^\[info\] No tests (?:were executed\.|to run for .*)$/],
    },
    {
      runner: 'clojure.test',
      summaries: [
        {
          line: /^Ran \d+ tests containing \d+ assertions?\.$/,
          count: text => ({
            ran: numberAfter(text, 'Ran'),
            failed: numberBefore(text, 'failures') + numberBefore(text, 'errors'),
          }),
        },
      ],
    },
  ],
};
