/** The folders of a machine that builds need, by name. Commands read nothing else except the checkout (docs/sandbox.md). */

const names = (text: string) => text.trim().split(/\s+/);

/** System folders of Linux, then of macOS. Files in `/etc` that only their owner can read stay hidden. */
export const systemFolders: readonly string[] = names(`
  /usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /sys /nix/store /gnu/store
  /var/lib/dpkg /var/lib/gems /var/lib/ghc /var/lib/texmf /var/cache/fontconfig
  /etc/resolv.conf /etc/ssl/certs /etc/pki
  /System/Library /System/Cryptexes /System/Volumes/Preboot/Cryptexes
  /Library/Apple /Library/Developer /Library/Frameworks /Library/Java /Library/Perl /Library/Python
  /private/var/select /private/var/db/dyld /private/var/db/timezone /private/var/db/xcode_select_link
  /opt/homebrew /opt/local /Applications/Xcode.app/Contents/Developer`);

/** Folders that commands see as empty and writable. */
export const emptyFolders: readonly string[] = names('/run /var/tmp');

/** Folders that are not shown; one that is a link is recreated as a link. */
export const linkedFolders: readonly string[] = names('/var/run /var/lock /home /root');

/** Tool and cache folders below the home folder; never one that holds credentials. */
export const homeFolders: readonly string[] = names(`
  .cargo/bin .cargo/registry .cargo/git .rustup go/bin go/pkg
  .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .ivy2/cache .sbt/boot .konan
  .npm/_cacache .nvm .fnm .volta .bun/bin .bun/install .deno/bin .yarn/berry
  .pyenv .rbenv .rvm .asdf .sdkman .ghcup .cabal/packages .stack/snapshots .opam .pub-cache/hosted
  .dotnet/sdk .dotnet/shared .dotnet/host .dotnet/tools .nuget/packages
  .local/bin .local/lib .local/share/pnpm .local/share/uv .local/share/mise .local/share/fnm
  .cache/pip .cache/uv .cache/pypoetry .cache/pipenv .cache/pre-commit .cache/virtualenv
  .cache/go-build .cache/golangci-lint .cache/staticcheck .cache/ccache .cache/sccache .cache/zig
  .cache/bazel .cache/bazelisk .cache/bazel-disk .cache/coursier .cache/composer
  .cache/node .cache/node-gyp .cache/yarn .cache/pnpm .cache/deno .cache/turbo .cache/prisma
  .cache/electron .cache/electron-builder .cache/Cypress .cache/ms-playwright .cache/puppeteer
  .cache/selenium .cache/huggingface/hub .cache/torch .cache/biome .cache/typescript
  .cache/fontconfig .cache/matplotlib`);

/** Variables that name a folder of which only some parts are shown; the rest can hold credentials or checkouts. */
export const partsOfVariable: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ['bin', 'registry', 'git'],
  GOPATH: ['bin', 'pkg'],
};

/** Variables that name a tool folder, besides the variables that commands receive. */
export const toolVariables: readonly string[] = names('RUNNER_TOOL_CACHE AGENT_TOOLSDIRECTORY');

/** Folders that are never shown as a whole, nor any folder above them, even when a variable names them. */
export const privateFolders: readonly string[] = names(`
  /home /root /tmp /run /var /var/tmp /var/lib /mnt /media /srv /proc /dev /dev/shm /opt /boot
  /Users /Volumes /Library /Applications /System/Volumes /private /private/tmp /private/var /private/var/folders
  /private/var/db`);

/** Data of services, such as databases, in the folders of Homebrew and MacPorts. */
export const dataFolders: readonly string[] = names(
  '/usr/local/var /opt/homebrew/var /opt/local/var',
);

/** Files in tool folders that hold credentials. */
export const credentialFiles: readonly string[] = names(`
  .git/config .npmrc .yarnrc.yml .netrc .pypirc .git-credentials auth.json
  credentials credentials.json credentials.toml`);

/** Files that mark a folder as the folder of the Actions runner. */
export const runnerMarks: readonly string[] = names('.runner .credentials .credentials_rsaparams');
