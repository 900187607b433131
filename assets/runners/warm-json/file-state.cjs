/** What test files of one thread share: the page of a simulated browser (jsdom, happy-dom), and packages. */

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

/** Remembers the page as it is; the function that it returns sets it back. Without a page, it does nothing. */
function openPage() {
  const { document, history, location } = globalThis;
  if (!document?.body || !location) return () => {};
  const { href } = location;
  const elements = [document.documentElement, document.head, document.body];
  const before = elements.map(e => [...e.attributes].map(({ name, value }) => [name, value]));
  const listeners = watchListeners([globalThis, document]);
  return () => {
    listeners.remove();
    document.head.replaceChildren();
    document.body.replaceChildren();
    elements.forEach((element, i) => {
      for (const { name } of [...element.attributes]) element.removeAttribute(name);
      for (const [name, value] of before[i]) element.setAttribute(name, value);
    });
    for (const cookie of document.cookie.split(';'))
      document.cookie = `${cookie.split('=')[0]}=;expires=Thu, 01 Jan 1970 00:00:00 GMT`;
    if (location.href !== href) history.replaceState(null, '', href);
    // some pages have none
    for (const name of ['localStorage', 'sessionStorage'])
      try {
        globalThis[name].clear();
      } catch {
        // a page without an origin
      }
  };
}

/** Remembers the listeners that the project adds. Those of packages stay, because packages are loaded once. */
function watchListeners(targets) {
  const added = [];
  for (const target of targets) {
    const { addEventListener } = target;
    target.addEventListener = (type, listener, options) => {
      if (!isCalledByPackage()) added.push([target, type, listener, options]);
      return addEventListener.call(target, type, listener, options);
    };
  }
  return {
    remove: () => {
      for (const [target, ...listener] of added.splice(0)) target.removeEventListener(...listener);
    },
  };
}
