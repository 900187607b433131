/** Part of the programs that run tests: names cases. */

/** The id of a case in a file, but for the number of a repeated one. */
const plainId = (file, name) => `${file} > ${name}`.replace(/\s+/g, ' ').slice(0, 500);
