/** Finds the paths of a project in what programs print. Pure. */

/** Finds the path of the project with which an absolute path ends; empty for other paths, such as those of a build. */
export function openOwnPaths(paths: readonly string[]): (path: string) => string {
  const known = new Set(paths);
  return path => {
    if (!path.startsWith('/')) return known.has(path) ? path : '';
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      if (known.has(path.slice(at + 1))) return path.slice(at + 1);
    return '';
  };
}
