/** Starts a benchmark by its name: `npm run bench -- NAME`; `--help` lists them. */

interface Bench {
  /** What it measures, and its words. */
  readonly about: string;
  readonly run: (words: readonly string[]) => Promise<void>;
}

const benches: Readonly<Record<string, Bench>> = {
  speed: {
    about: 'one fix by the built Action beside the same fix by a bare loop: time, memory, phases',
    run: async () => (await import('./speed.ts')).benchSpeed(),
  },
  bill: {
    about: 'tokens and cost of recorded conversations beside a bare loop [cached=0.2 output=10 …]',
    run: async words => (await import('./bill.ts')).benchBill(words),
  },
  seat: {
    about: 'rounds, refusals and cost of the recorded conversations beside a plain agent',
    run: async () => (await import('./seat.ts')).benchSeat(),
  },
  detect: {
    about: 'how often the test command of a project is found',
    run: async () => (await import('./detect.ts')).benchDetect(),
  },
  honest: {
    about: 'false alarms of the search for source that cheats its tests: COMMITS REPOSITORY…',
    run: async words => (await import('./honest.ts')).benchHonest(words),
  },
  proof: {
    about: 'what the proof says of patches of known standing [--held-out] [--show]',
    run: async words => (await import('./proof/run.ts')).benchProof(words),
  },
  look: {
    about: 'what a second look finds in wrong and in right patches [--answers DIR]',
    run: async words => (await import('./look.ts')).benchLook(words),
  },
  repair: {
    about:
      'the embedded engine on planted faults [--half NAME] [--seconds N] [--results FILE] [NAME…]',
    run: async words => (await import('./repair/run.ts')).benchRepair(words),
  },
  real: {
    about:
      'the embedded engine on fixes that people made: --clones DIR [--held-out] [--limit SECONDS]',
    run: async words => (await import('./real/run.ts')).benchReal(words),
  },
};

const [name = '--help', ...words] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench !== undefined) await bench.run(words);
else {
  const list = Object.entries(benches).map(([each, { about }]) => `  ${each.padEnd(8)} ${about}\n`);
  process.stdout.write(`npm run bench -- NAME\n\n${list.join('')}`);
  if (name !== '--help') process.exitCode = 2;
}
