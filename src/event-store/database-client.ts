import pg from 'pg';
import type { FindPrimary } from './find-primary.ts';

/** Settings of the server for one session, by name. */
export type SessionSettings = Readonly<Record<string, string>>;

export interface DatabaseClientConfig extends pg.ClientConfig {
  /** Set once the session has begun. */
  readonly settings?: SessionSettings;
  /** Absent for a single server, which the URL names. */
  readonly findPrimary?: FindPrimary;
}

/** Identifies a session of any server. */
interface Session {
  readonly pid: number;
  /** Start time of the server. */
  readonly started: string;
}

const askSession =
  'SELECT pg_backend_pid() AS pid, extract(epoch FROM pg_postmaster_start_time())::text AS started';

/**
 * A client that finds the primary of several servers before it connects, and then sets its session's
 * settings. They are statements and not part of the start of the session, since poolers refuse them
 * there.
 */
export class DatabaseClient extends pg.Client {
  readonly #findPrimary: FindPrimary | undefined;
  #session: Session | null = null;
  readonly #settings: string;

  constructor(config: DatabaseClientConfig = {}) {
    super(config);
    // The server may end the session at any moment, also before the caller listens. The next
    // statement then fails.
    this.on('error', () => {});
    this.#findPrimary = config.findPrimary;
    this.#settings = Object.entries(config.settings ?? {})
      .map(([name, value]) => `SET ${name} TO ${pg.escapeLiteral(value)}`)
      .join(';');
  }

  /** Null before the session has begun, and for a client without settings. */
  get session(): Session | null {
    return this.#session;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(
    callback?: (error: Error | null, client?: pg.Client) => void,
  ): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then((client) => callback(null, client), callback);
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#findPrimary !== undefined) {
      const { host, port } = await this.#findPrimary();
      this.host = host;
      this.port = port;
    }
    await super.connect();
    if (this.#settings === '') return this;
    try {
      // The driver's types do not know that several statements have several results.
      const results = (await this.query(`${this.#settings};${askSession}`)) as unknown;
      const last = (results as readonly pg.QueryResult<Session>[]).at(-1);
      this.#session = last?.rows[0] ?? null;
    } catch (error) {
      this.end().catch(() => {});
      throw error;
    }
    return this;
  }
}
