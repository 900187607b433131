/** What a build needs of a machine, by name: all that commands read besides the checkout (docs/sandbox.md). */

const names = (text: string) => text.trim().split(/\s+/);

/** Folders of the system. What only its owner reads in `/etc` stays hidden. */
export const systemFolders: readonly string[] = names(`
  /usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /sys /nix/store /gnu/store
  /var/lib/dpkg /var/lib/gems /var/lib/ghc /var/lib/texmf /var/cache/fontconfig
  /etc/resolv.conf /etc/ssl/certs /etc/pki`);

/** Folders that are empty and can be written to. */
export const emptyFolders: readonly string[] = names('/run /var/tmp');

/** Folders that are not shown; where one is a link, the link is made. */
export const linkedFolders: readonly string[] = names('/var/run /var/lock /home /root');

/** Folders of tools and caches below the home folder; never those that hold credentials. */
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

/** Variables that name a folder of which only parts are shown: the rest holds credentials or checkouts. */
export const partsOfVariable: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ['bin', 'registry', 'git'],
  GOPATH: ['bin', 'pkg'],
};

/** Variables beside those that commands see which name a folder of tools. */
export const toolVariables: readonly string[] = names('RUNNER_TOOL_CACHE AGENT_TOOLSDIRECTORY');

/** Folders that are no tool's, whatever names them: nothing above or at them is shown whole. */
export const privateFolders: readonly string[] = names(`
  /home /root /tmp /run /var /var/tmp /var/lib /mnt /media /srv /proc /dev /opt /boot`);

/** Files of a tool's folder that hold credentials. */
export const credentialFiles: readonly string[] = names(`
  .git/config .npmrc .yarnrc.yml .netrc .pypirc .git-credentials auth.json
  credentials credentials.json credentials.toml`);

/** Files that show that a folder is the runner's own. */
export const runnerMarks: readonly string[] = names('.runner .credentials .credentials_rsaparams');
