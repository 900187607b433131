const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** "1.5 KB" of 1536; one digit behind the point below ten, and none for bytes. */
export function sizeText(bytes) {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** 1536 of "1.5 KB", "1.5k" or "1536"; NaN if it is no size. */
export function parseSize(text) {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text);
  if (match === null) return Number.NaN;
  const [, number, letter] = match;
  const power = letter === '' ? 0 : 'kmgt'.indexOf(letter.toLowerCase()) + 1;
  return Math.round(Number(number) * 1024 ** power);
}

/** The sizes of folders by the sizes of the files at paths below them. */
export function folderSizes(files) {
  const sizes = {};
  for (const [path, bytes] of Object.entries(files)) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      sizes[folder] = (sizes[folder] ?? 0) + bytes;
    }
  }
  return sizes;
}

/** The largest folders, as texts, largest first; equal ones by name. */
export function largest(files, count = 3) {
  return Object.entries(folderSizes(files))
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, count)
    .map(([folder, bytes]) => `${folder}: ${sizeText(bytes)}`);
}
