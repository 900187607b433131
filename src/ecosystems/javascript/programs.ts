/** Test runners that a package brings as a program, which launchers and package scripts start by name. */

const names = '(vitest|jest|mocha)';

/** True for the name of such a program. */
export const isPackagedRunner = (name: string) => new RegExp(`^${names}$`).test(name);

/** The file of such a program in the installed packages; the group is its name. */
export const runnerFile = new RegExp(`^(?:\\./)?node_modules/(?:\\.bin/)?${names}(?:/\\S+)?$`);
