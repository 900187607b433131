/** A key that is renewed before it expires. */

/** A key, and when it expires, in ms since the epoch; undefined if its issuer did not say. */
export interface IssuedKey {
  readonly key: string;
  readonly expiresAt: number | undefined;
}

/** Gives the key that is valid now. */
export type KeySource = () => Promise<string>;

export interface KeySourceOptions {
  /** Gets a new key. Throws PhotonError `KEY_EXCHANGE`. */
  readonly issue: () => Promise<IssuedKey>;
  readonly now: () => number;
  /** Called with each new key before anything can use it. */
  readonly arrived: (key: string) => void;
}

/** A key is renewed this long before it expires, or at half of its life if that is shorter. */
const marginMs = 300_000;

/**
 * Gets a key at the first call, and a new one when it is about to expire. If that fails, the old key is used as long
 * as it is valid, and each call tries again; after that, the failure is thrown.
 */
export function openKeySource({ issue, now, arrived }: KeySourceOptions): KeySource {
  let current: (IssuedKey & { readonly renewAt: number }) | undefined;
  let pending: Promise<string> | undefined;
  const renew = async (): Promise<string> => {
    const start = now();
    const issued = await issue();
    arrived(issued.key);
    const { expiresAt } = issued;
    const renewAt =
      expiresAt === undefined ? Infinity : expiresAt - Math.min(marginMs, (expiresAt - start) / 2);
    current = { ...issued, renewAt };
    return issued.key;
  };
  return async () => {
    const known = current;
    if (known !== undefined && now() < known.renewAt) return known.key;
    pending ??= renew().finally(() => {
      pending = undefined;
    });
    return pending.catch((error: unknown) => {
      if (known !== undefined && known.expiresAt !== undefined && now() < known.expiresAt)
        return known.key;
      throw error;
    });
  };
}
