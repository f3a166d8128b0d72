import { interval, Observable } from 'rxjs';
import { networkIds } from '../../../../src/domain/network.ts';
import { createGateway } from '../../../../src/ledger/gateway.ts';
import { superviseServer } from '../../../../src/ledger/server-connection.ts';
import type { Signer } from '../../../../src/ledger/signer.ts';
import type { OtherLedger } from '../../../../src/reactors/anchoring/ledger-identity.ts';
import {
  type RunningAnchoring,
  runAnchoring,
} from '../../../../src/reactors/anchoring/run-anchoring.ts';
import { runCheckpointRequests } from '../../../../src/reactors/anchoring/run-checkpoint-requests.ts';
import type { LogSignal } from '../../../../src/subscriptions/log-signal.ts';
import type { ReactorCheckpoints } from '../../../../src/subscriptions/reactor-checkpoint.ts';
import { createFaultyEventStore, reach, unavailable } from './faulty-event-store.ts';
import type { MemoryCheckpoints } from './memory-checkpoints.ts';
import { memoryLeaves } from './memory-event-store.ts';
import { noticedWithinMs, ProcessEffects } from './process-effects.ts';
import { checkpointAccount, type SimulatedAccount } from './simulated-accounts.ts';
import { SimulatedClient } from './simulated-client.ts';
import { createMemoryLocks, type LockSession } from './work-lock-table.ts';
import type { World } from './world.ts';

const requestTimeoutMs = 10_000;
const pollMs = 1_000;
const checkpointEveryMs = 5_000;

/** One anchoring process with real code inside and simulated surroundings. */
export class AnchoringProcess {
  readonly effects: ProcessEffects;
  readonly troubles: unknown[] = [];
  otherLedger: OtherLedger | null = null;
  running: RunningAnchoring | null = null;
  /** Virtual time at which the process gets what it reads of the log. */
  #followsAtMs = 0;
  #stopRequests: () => unknown = () => {};
  readonly #world: World;
  readonly #locks: ReturnType<typeof createMemoryLocks>;
  readonly #gateway: ReturnType<typeof createGateway>;

  constructor(world: World, signers: readonly SimulatedAccount[]) {
    this.#world = world;
    const { time, database } = world;
    this.effects = new ProcessEffects(world);
    const ask = <Result>(effect: () => Result) =>
      this.effects.perform('lock', () => reach(database, effect), unavailable);
    this.#locks = createMemoryLocks(world.locks, ask, (end) => this.#noticed(end));
    this.#gateway = gatewayOf(world, this.effects);
    this.effects.onKill = () => this.#end();
    // The database notices eventually that a frozen process is silent.
    this.effects.onFrozen = () => {
      const session = this.#locks.session();
      this.#noticed(() => world.locks.end(session));
    };
    const store = createFaultyEventStore(database, this.effects);
    const signal = signalOf(world);
    runAnchoring({
      store,
      tail: {
        ...store,
        readPage: async (after, limit, types) => {
          const page = await store.readPage(after, limit, types);
          await time.sleep(Math.max(0, this.#followsAtMs - time.nowMs));
          return page;
        },
      },
      signal,
      gateway: this.#gateway,
      locks: this.#locks,
      signers: signers.map(({ signer }) => faultySigner(signer, this.effects)),
      checkpoints: faultyCheckpoints(world.checkpoints, world, this.effects),
      checkpointSigner: faultySigner(checkpointAccount.signer, this.effects),
      maxFeeDrops: 1_000,
      maxOutstanding: 20,
      onError: (error) => this.troubles.push(error),
      onOtherLedger: (error) => {
        this.otherLedger = error;
        if (this.#gateway.network === 'mainnet') time.at(0, () => this.effects.kill());
      },
    }).then(
      (running) => {
        this.running = running;
        this.#stopRequests = runCheckpointRequests({
          store,
          leaves: memoryLeaves(database.store),
          log: running.log,
          account: checkpointAccount.address,
          intervalMs: checkpointEveryMs,
          now: () => time.wall,
          onError: (error) => this.troubles.push(error),
        });
        if (this.effects.dead) this.#end();
      },
      // Restart a process that cannot read its checkpoint.
      (error) => {
        this.troubles.push(error);
        this.effects.kill();
      },
    );
  }

  get session(): LockSession {
    return this.#locks.session();
  }

  /** Delays what the process reads of the log. */
  followLate(byMs: number): void {
    this.#followsAtMs = this.#world.time.nowMs + byMs;
  }

  loseLocks(): void {
    this.#world.locks.end(this.#locks.session());
  }

  #end(): void {
    const session = this.#locks.session();
    this.#noticed(() => this.#world.locks.end(session));
    this.#stopRequests();
    this.running?.stop();
    this.#gateway.close();
  }

  #noticed(end: () => void): void {
    this.#world.time.at(this.#world.random() * noticedWithinMs, end);
  }
}

function gatewayOf(world: World, effects: ProcessEffects) {
  const { network, time } = world;
  const networkId = networkIds[network.network];
  const connections = network.servers.map((server) =>
    superviseServer({
      url: server.name,
      networkId,
      requestTimeoutMs,
      openSocket: (_url, { timeoutMs }, listeners) =>
        new SimulatedClient(server, { time, effects, registry: network, timeoutMs }, listeners),
    }),
  );
  return createGateway(network.network, connections);
}

/** Hints that arrive late, or only with the next poll. */
export function signalOf({ appended, time, random }: World): LogSignal {
  const hints = new Observable<void>((subscriber) => {
    const listening = appended.subscribe(() => {
      if (random() < 0.9) time.at(random() * 20, () => subscriber.next());
    });
    listening.add(interval(pollMs).subscribe(() => subscriber.next()));
    return listening;
  });
  return { hints, close: async () => {} };
}

function faultySigner(signer: Signer, effects: ProcessEffects): Signer {
  const failure = () => new Error('the key service does not answer');
  return {
    ...signer,
    sign: (messages) => effects.performPromptly('signature', () => signer.sign(messages), failure),
  };
}

function faultyCheckpoints(
  checkpoints: MemoryCheckpoints,
  { database }: World,
  effects: ProcessEffects,
): ReactorCheckpoints {
  return {
    load: (name) =>
      effects.perform(
        'read of the log',
        () => reach(database, () => checkpoints.load(name)),
        unavailable,
      ),
    save: (name, checkpoint) =>
      effects.perform(
        'save of the checkpoint',
        () => reach(database, () => checkpoints.save(name, checkpoint)),
        unavailable,
      ),
  };
}
