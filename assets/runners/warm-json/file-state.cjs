/** What test files of one thread share: packages, which are loaded once. */

/** True if the function that called the caller of this one lies in a package. */
function isCalledByPackage() {
  const [, , , caller = ''] = String(new Error().stack).split('\n');
  return /[\\/]node_modules[\\/]/.test(caller);
}

/** Keeps the hooks that packages add while they are loaded: that happens once, so later files would lack them. */
function openPackageHooks() {
  const names = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];
  const kept = [];
  let isWatching = false;
  let loads = 0;
  return {
    /** Begins to watch; the hooks are global variables once the first file loads. */
    watch: () => {
      if (isWatching) return;
      isWatching = true;
      for (const name of names) {
        const add = globalThis[name];
        if (typeof add !== 'function') continue;
        globalThis[name] = (...hook) => {
          if (isCalledByPackage()) kept.push({ add, hook, load: loads });
          return add(...hook);
        };
      }
    },
    /** Adds to a file what packages added to earlier ones. */
    add: () => {
      for (const { add, hook, load } of kept) if (load < loads) add(...hook);
    },
    next: () => {
      loads += 1;
    },
  };
}
