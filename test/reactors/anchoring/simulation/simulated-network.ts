import type { Network } from '../../../../src/domain/network.ts';
import { networkIds } from '../../../../src/domain/network.ts';
import type { Random } from '../../../support/seed.ts';
import { accounts } from './simulated-accounts.ts';
import { type ChainRecord, SimulatedChain } from './simulated-chain.ts';
import type { ClientRegistry, SimulatedClient } from './simulated-client.ts';
import { SimulatedServer } from './simulated-server.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A network of servers around one chain that closes a ledger now and then. */
export class SimulatedNetwork implements ClientRegistry {
  readonly network: Network;
  readonly chain: SimulatedChain;
  readonly servers: readonly SimulatedServer[];
  readonly clients = new Set<SimulatedClient>();
  /** Chains before a reset. */
  readonly past: ChainRecord[] = [];
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #closeMs: number;
  #stray: SimulatedChain | null = null;
  halted = false;
  /** Called with each blob that reaches a server. */
  submitted: (blob: string) => void = () => {};

  constructor(options: NetworkOptions) {
    const { time, random, network, servers, closeMs } = options;
    this.network = network;
    this.#time = time;
    this.#random = random;
    this.#closeMs = closeMs;
    this.chain = new SimulatedChain({ time, random, networkId: networkIds[network], place: 0 });
    this.servers = Array.from({ length: servers }, (_, place) => {
      return new SimulatedServer(`ws://server-${place}`, this.chain);
    });
    this.#closeLater();
  }

  /** The current chain and all earlier ones, to check claims against. */
  get records(): readonly ChainRecord[] {
    return [this.chain.record, ...this.past];
  }

  get nowMs(): number {
    return this.#time.nowMs;
  }

  get ledgers(): number {
    return this.chain.record.tip;
  }

  closeConnections(server?: SimulatedServer): void {
    for (const client of [...this.clients]) {
      if (server === undefined || client.server === server) client.drop(1008);
    }
  }

  /** Resets the chain and restarts the servers. */
  reset(): void {
    this.past.push(this.chain.reset());
    this.closeConnections();
  }

  useSequence(place: number): void {
    const account = accounts[place];
    if (account) this.chain.useSequence(account);
  }

  /** Another chain with the same network id and age. */
  stray(): SimulatedChain {
    if (this.#stray === null) {
      const networkId = networkIds[this.network];
      const [time, random] = [this.#time, this.#random];
      this.#stray = new SimulatedChain({ time, random, networkId, place: 1 });
      while (this.#stray.record.tip < this.chain.record.tip) this.#stray.close();
    }
    return this.#stray;
  }

  #closeLater(): void {
    const delayMs = this.#closeMs * (0.75 + this.#random() / 2);
    this.#time.at(delayMs, () => {
      if (!this.halted) this.#close();
      this.#closeLater();
    });
  }

  #close(): void {
    this.chain.close();
    this.#stray?.close();
    for (const client of [...this.clients]) {
      this.#time.at(this.#random() * 20, () => client.tell());
    }
  }
}

export interface NetworkOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly network: Network;
  readonly servers: number;
  readonly closeMs: number;
}
