import { interval, Observable } from 'rxjs';
import type { OtherLedger } from '../../../../src/anchoring-state/ledger-identity.ts';
import { DatabaseWentBack } from '../../../../src/event-store/database-went-back.ts';
import type { Leaves } from '../../../../src/event-store/leaves.ts';
import type { Signer } from '../../../../src/ledger/signer.ts';
import {
  type RunningAnchoring,
  runAnchoring,
} from '../../../../src/reactors/anchoring/run-anchoring.ts';
import { runCheckpointRequests } from '../../../../src/reactors/anchoring/run-checkpoint-requests.ts';
import { StorageUnavailable } from '../../../../src/storage/storage-unavailable.ts';
import type { LogSignal } from '../../../../src/subscriptions/log-signal.ts';
import type { ReactorCheckpoints } from '../../../../src/subscriptions/reactor-checkpoint.ts';
import { LogUnconfirmed } from '../../../../src/transparency-log/guard/check.ts';
import { SubmittedMarkWriter } from '../../../../src/transparency-log/publish/submitted-mark-writer.ts';
import type { SubmittedMark } from '../../../../src/transparency-log/published/submitted-mark.ts';
import { DatabaseConnection } from './database-connection.ts';
import type { Step } from './faults.ts';
import { createFaultyEventStore, reach, unavailable } from './faulty-event-store.ts';
import { gatewayOf } from './gateway-of.ts';
import { memoryLeaves, publishedAtOnce } from './memory-event-store.ts';
import { noticedWithinMs, ProcessEffects } from './process-effects.ts';
import { checkpointAccount, type SimulatedAccount } from './simulated-accounts.ts';
import { createStartGuard } from './start-guard.ts';
import { createMemoryLocks, type LockSession } from './work-lock-table.ts';
import type { World } from './world.ts';

const pollMs = 1_000;
const checkpointEveryMs = 5_000;
const compareAgainMs = 2_000;

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
  readonly #gateway: ReturnType<typeof gatewayOf>;
  /** Null if the database loses nothing. */
  readonly #connection: DatabaseConnection | null;

  constructor(world: World, signers: readonly SimulatedAccount[]) {
    this.#world = world;
    const { time, database } = world;
    this.effects = new ProcessEffects(world);
    const late = () => time.sleep(Math.max(0, this.#followsAtMs - time.nowMs));
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
    this.#connection = world.mayLose
      ? new DatabaseConnection(
          database.store,
          () => this.effects.kill(),
          () => this.#locks.giveUp(),
        )
      : null;
    const store = createFaultyEventStore(database, this.effects, this.#connection);
    const leaves = faultyLeaves(world, this.effects, this.#connection);
    const published = faultyMarks(world, this.effects);
    const addresses = signers.map(({ address }) => address);
    const guard = createStartGuard(world, { store, leaves }, addresses);
    let agrees = !world.mayLose;
    const agree = async () => {
      await world.operator.mayStart();
      await guard.compareMarks();
      const compare = () =>
        guard.compareSent(this.#gateway).then(
          () => {
            agrees = true;
          },
          (error: unknown) => {
            if (this.#endsBy(error)) return;
            time.at(compareAgainMs, compare);
          },
        );
      void compare();
    };
    const marks = new SubmittedMarkWriter({
      ...{ store, leaves, published, network: this.#gateway.network },
      writer: world.newId(),
    });
    const signal = signalOf(world);
    const anchoring: Parameters<typeof runAnchoring>[0] = {
      store,
      tail: {
        ...store,
        readPage: async (after, limit, types) => {
          // A process that has not read an event cannot miss it when the database loses it.
          if (world.mayLose) await late();
          const page = await store.readPage(after, limit, types);
          await late();
          return page;
        },
      },
      signal,
      gateway: this.#gateway,
      locks: this.#locks,
      signers: signers.map(({ signer }) => faultySigner(signer, this.effects)),
      checkpoints: faultyCheckpoints(world, this.effects, this.#connection),
      checkpointSigner: world.mayLose ? null : faultySigner(checkpointAccount.signer, this.effects),
      maySign: () => agrees,
      compare: () => (world.mayLose ? guard.compareMarks() : Promise.resolve()),
      cover: (lastLedger) => marks.cover(lastLedger),
      maxFeeDrops: 1_000,
      // Few, so that transactions are signed ahead.
      maxOutstanding: 2,
      onError: (error) => {
        if (!this.#endsBy(error)) this.troubles.push(error);
      },
      onOtherLedger: (error) => {
        this.otherLedger = error;
        if (this.#gateway.network === 'mainnet') time.at(0, () => this.effects.kill());
      },
    };
    const started = world.mayLose
      ? agree().then(() => runAnchoring(anchoring))
      : runAnchoring(anchoring);
    started.then(
      (running) => {
        this.running = running;
        if (this.effects.dead) this.#end();
        if (world.mayLose) return;
        this.#stopRequests = runCheckpointRequests({
          store,
          leaves: memoryLeaves(database.store),
          published: () => publishedAtOnce(database.store),
          log: running.log,
          account: checkpointAccount.address,
          intervalMs: checkpointEveryMs,
          now: () => time.wall,
          onError: (error) => this.troubles.push(error),
        });
      },
      // Restart a process that cannot read its checkpoint.
      (error) => {
        if (!this.#endsBy(error)) this.troubles.push(error);
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

  /** Opens a new connection after the database has ended all. */
  reconnect(): void {
    this.#connection?.open(async () => {}).catch(() => {});
  }

  /** Ends the process, as the program does, if the database is not the log that it was. */
  #endsBy(error: unknown): boolean {
    const isRefused = error instanceof LogUnconfirmed && error.isFinal;
    const isFound = isRefused || error instanceof DatabaseWentBack;
    if (!isFound) return false;
    this.#world.operator.call();
    this.effects.kill();
    return true;
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

/** The leaves of the log as one process reads them. */
function faultyLeaves(
  { database }: World,
  effects: ProcessEffects,
  connection: DatabaseConnection | null,
): Pick<Leaves, 'read'> {
  const leaves = memoryLeaves(database.store);
  return {
    async read(after, limit) {
      const read = async () => leaves.read(after, limit);
      const run = connection === null ? read : await connection.open(read);
      return effects.perform('read of the log', () => reach(database, run), unavailable);
    },
  };
}

/** The storage of submission marks; every write is a step. */
function faultyMarks({ published }: World, effects: ProcessEffects) {
  const failure = () => new StorageUnavailable('the storage does not answer');
  return {
    writeSubmitted: (writer: string, mark: SubmittedMark) =>
      effects.perform('submission mark', () => published.writeSubmitted(writer, mark), failure),
    removeSubmitted: (writer: string, mark: SubmittedMark) =>
      published.removeSubmitted(writer, mark),
  };
}

function faultyCheckpoints(
  { checkpoints, database }: World,
  effects: ProcessEffects,
  connection: DatabaseConnection | null,
): ReactorCheckpoints {
  const perform = async <Result>(step: Step, effect: () => Promise<Result>) => {
    const run = connection === null ? effect : await connection.open(effect);
    return effects.perform(step, () => reach(database, run), unavailable);
  };
  return {
    load: (name) => perform('read of the log', () => checkpoints.load(name)),
    save: (name, checkpoint) =>
      perform('save of the checkpoint', () => checkpoints.save(name, checkpoint)),
  };
}
