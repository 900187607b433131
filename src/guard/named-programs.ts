/** Files that programs read, to run what they name. Pure. */

/** Formats of settings, in which a field can name a program. */
const settings = /\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|xml|properties|plist|service|desktop)$/i;
/** Fields whose value a program runs, loads or starts. */
const fields =
  /(?:^|[\s{,<[(])["']?(?:command|cmd|exec(?:start\w*)?|entry_?point|hooks?|plugins?|image|mcp\w*|provisioner|toolchain\w*|\w+presets)["']?\s*[:=>]/im;
/** An object that a cluster starts. */
const cluster = /^["'{\s]*apiVersion["']?\s*:/m;
/** Machine code, what a cloud is made of, and settings that are a program. */
const always =
  /\.(?:node|so(?:\.\d+)*|dylib|dll|exe|pyd|jar|class|wasm|tf|tofu|hcl)$|(?:^|\/)conf\.py$/i;

/**
 * True for a file whose change can make a program run something else: machine code, or settings with an added line that names a
 * program, a plug-in or an image.
 * @param text the whole file with the change.
 */
export function namesPrograms(path: string, added: string, text: string): boolean {
  if (always.test(path)) return true;
  return settings.test(path) && (fields.test(added) || cluster.test(text));
}
