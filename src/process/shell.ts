/** Lines for `sh`, the shell of every command of the project. Pure. */

/** The syntax of the lines that Photon itself writes. */
export const shell = {
  /** Quotes a word, if it needs quotes. */
  quoted(word: string): string {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
  },

  /** The line that starts a program with variables (`NAME=value`) and words. */
  line({ env, words }: { readonly env: readonly string[]; readonly words: readonly string[] }) {
    // a shell would take a quoted assignment for a program
    const setting = env.length > 0 ? ['env', ...env] : [];
    return [...setting, ...words].map(shell.quoted).join(' ');
  },

  /** In front of a line: removes a file, if it exists. */
  removing(path: string): string {
    return `rm -f -- ${shell.quoted(path)}\n`;
  },

  /** In front of a line: ends it after this processor time. */
  limited(cpuSeconds: number): string {
    return `ulimit -t ${cpuSeconds}; `;
  },

  /** In front of a line: a variable with the path of a folder in the working folder. */
  naming(variable: string, folder: string): string {
    return `export ${variable}="$PWD/${folder}"\n`;
  },

  /** In front of a line: the programs of `node_modules/.bin` come first. */
  withLocalPrograms: 'PATH="$PWD/node_modules/.bin:$PATH" ',

  /** In front of a line: a build whose output shows only if it fails, which also ends the line. */
  building(build: string): string {
    return `built=$( { ${build}; } 2>&1 ) || { code=$?; printf '%s\\n' "$built"; exit $code; }\n`;
  },
} as const;
