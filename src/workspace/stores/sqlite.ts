/** A SQLite file with prepared statements, transactions, and errors as PhotonError codes. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { PhotonError } from '../../base/codes.ts';

export type Value = string | number | Uint8Array | null;
export type SqlRow = Readonly<Record<string, unknown>>;

export class SqliteFile {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #mode: 'write' | 'read';
  readonly #statements = new Map<string, StatementSync>();

  /**
   * Opens a file. For writing, it is created when it does not exist, and uses WAL mode.
   * @throws PhotonError `DISK`, `SESSION_INVALID`.
   */
  constructor(path: string, mode: 'write' | 'read') {
    this.#path = path;
    this.#mode = mode;
    try {
      this.#db = new DatabaseSync(path, { readOnly: mode === 'read' });
      const wal =
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000';
      if (mode === 'write') this.#db.exec(wal);
    } catch (cause) {
      throw this.#asError(cause);
    }
  }

  /** Runs work as one transaction: either all of it is written, or nothing. */
  transaction<T>(work: () => T): T {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const done = work();
      this.#db.exec('COMMIT');
      return done;
    } catch (cause) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw this.#asError(cause);
    }
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  run(sql: string, ...values: readonly Value[]): void {
    this.#prepare(sql).run(...values);
  }

  get(sql: string, ...values: readonly Value[]): SqlRow | undefined {
    return this.#guard(() => this.#prepare(sql).get(...values) as SqlRow | undefined);
  }

  all(sql: string, ...values: readonly Value[]): readonly SqlRow[] {
    return this.#guard(() => this.#prepare(sql).all(...values) as SqlRow[]);
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw this.#asError(cause);
    }
  }

  #asError(cause: unknown): PhotonError {
    if (cause instanceof PhotonError) return cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    // `database disk image is malformed` is about the file, as is one that cannot be opened to be read
    const isDisk = /disk I\/O|readonly|is full|permission|unable to open/i.test(message);
    const code = isDisk && this.#mode === 'write' ? 'DISK' : 'SESSION_INVALID';
    return new PhotonError(code, `${this.#path}: ${message}`, { cause });
  }
}
