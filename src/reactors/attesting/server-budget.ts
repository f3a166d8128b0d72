/** Counts of a server since the process started. */
export interface ServerCounts {
  /** Scheme and host. */
  readonly server: string;
  /** Messages with a signature that does not hold. */
  readonly falseSignatures: number;
  /** Messages that were not looked at, after too many false ones. */
  readonly passedOver: number;
}

interface Account {
  falseSignatures: number;
  passedOver: number;
  /** False signatures that may still be verified, at `at`. */
  left: number;
  at: number;
}

/** A false signature costs 0.4 to 5 ms. Honest servers verify each before they send it. */
const most = 100;
const regainedPerSecond = 1;

/**
 * Limits the time that a server can cost by messages with false signatures: after too many of them
 * its messages are passed over for a while. Other servers send the same messages.
 */
export class ServerBudget {
  readonly #clock: () => number;
  readonly #onExhausted: (server: string) => void;
  readonly #accounts = new Map<string, Account>();

  /** `clock` is monotonic, in milliseconds. `onExhausted` is called once for a server. */
  constructor(clock: () => number, onExhausted: (server: string) => void) {
    this.#clock = clock;
    this.#onExhausted = onExhausted;
  }

  get counts(): readonly ServerCounts[] {
    return [...this.#accounts].map(([server, { falseSignatures, passedOver }]) => {
      return { server, falseSignatures, passedOver };
    });
  }

  /** False if a message of this server must not be looked at now. */
  permits(server: string): boolean {
    const account = this.#settled(server);
    if (account.left >= 1) return true;
    account.passedOver += 1;
    return false;
  }

  /** Notes a message with a false signature. */
  spend(server: string): void {
    const account = this.#settled(server);
    account.falseSignatures += 1;
    account.left -= 1;
    if (account.left < 1 && account.passedOver === 0) this.#onExhausted(server);
  }

  #settled(server: string): Account {
    const now = this.#clock();
    const account = this.#accounts.get(server) ?? this.#begin(server, now);
    const regained = ((now - account.at) / 1_000) * regainedPerSecond;
    account.left = Math.min(most, account.left + regained);
    account.at = now;
    return account;
  }

  #begin(server: string, at: number): Account {
    const account = { falseSignatures: 0, passedOver: 0, left: most, at };
    this.#accounts.set(server, account);
    return account;
  }
}
