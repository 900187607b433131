/** The value at a path such as "user.name"; undefined if there is none. */
export function valueAt(data, path) {
  return path.split('.').reduce((value, key) => (value == null ? undefined : value[key]), data);
}

const filters = {
  upper: text => text.toUpperCase(),
  title: text => text.replace(/\b[a-z]/g, letter => letter.toUpperCase()),
  short: text => (text.length > 10 ? `${text.slice(0, 9)}…` : text),
};

/** Fills "{{ path | filter : default }}"; filter and default may be missing. */
export function fill(template, data) {
  return template.replace(/\{\{([^{}]*)\}\}/g, (_, inside) => {
    const [left, fallback] = inside.split(':');
    const [path, ...names] = left.split('|').map(part => part.trim());
    const value = valueAt(data, path) ?? fallback?.trim() ?? '';
    return names.reduce((text, name) => filters[name](text), String(value));
  });
}

/** The paths that a template reads, each once, sorted. */
export function pathsOf(template) {
  const found = new Set();
  for (const [, inside] of template.matchAll(/\{\{([^{}]*)\}\}/g))
    found.add(inside.split(/[|:]/)[0].trim());
  return [...found].sort();
}

/** What a template reads that the data does not have and that has no default. */
export function missingIn(template, data) {
  return pathsOf(template).filter(
    path =>
      valueAt(data, path) === undefined && !new RegExp(`\\{\\{\\s*${path}[^}]*:`).test(template),
  );
}
