import { createHash } from 'node:crypto';
import { Subject } from 'rxjs';
import { ulid } from 'ulid';
import { defaultHashScheme, type HashScheme } from '../../../../src/domain/proof/hash-scheme.ts';
import { PublishedLog } from '../../../../src/transparency-log/published/published-log.ts';
import { MemoryLogFiles } from '../../../support/memory-log-files.ts';
import { type Random, randomFrom } from '../../../support/seed.ts';
import type { Scenario } from './faults.ts';
import type { Database } from './faulty-event-store.ts';
import { MemoryCheckpoints } from './memory-checkpoints.ts';
import { createMemoryEventStore, type MemoryEventStore } from './memory-event-store.ts';
import { type EffectsWorld, type FaultActions, FaultPlan } from './process-effects.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { Truth } from './truth.ts';
import type { VirtualTime } from './virtual-time.ts';
import { WorkLockTable } from './work-lock-table.ts';

/** Surroundings shared by the processes of a run and by its operator. */
export class Surroundings implements EffectsWorld {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly latencyMs: number;
  readonly plan: FaultPlan;
  readonly network: SimulatedNetwork;
  readonly database: Database & { readonly store: MemoryEventStore };
  readonly locks = new WorkLockTable();
  readonly checkpoints: MemoryCheckpoints;
  /** The storage, which no loss of the database changes. */
  readonly published = new PublishedLog(new MemoryLogFiles());
  /** True if the database may lose its newest events. Then no checkpoints are anchored. */
  readonly mayLose: boolean;
  readonly appended = new Subject<void>();
  readonly truth: Truth;
  readonly actions: FaultActions;
  /** Without a salt, proofs of the same file have the same commitment. */
  readonly hashScheme: HashScheme;
  /** Number of the first events, which are never lost. */
  kept = 0;

  #ids = 0;
  #nonces = 0;

  constructor(scenario: Scenario, time: VirtualTime) {
    const { seed, latencyMs } = scenario;
    this.time = time;
    this.random = randomFrom(seed);
    this.latencyMs = latencyMs;
    this.hashScheme = seed % 2 === 0 ? 'sha256-plain-v1' : defaultHashScheme;
    this.plan = new FaultPlan(scenario.planned);
    // The ledger draws from its own random numbers, independent of the processes.
    this.network = new SimulatedNetwork({ ...scenario, time, random: randomFrom(~seed) });
    this.truth = new Truth(this.network);
    this.network.submitted = (blob) => this.truth.submitted(blob);
    const store = createMemoryEventStore({
      now: () => time.wall,
      onAppend: (event) => {
        this.truth.appended(event);
        this.appended.next();
      },
    });
    this.database = { store, away: null };
    this.checkpoints = new MemoryCheckpoints(() => store.events.length);
    this.mayLose = scenario.events.some(({ kind }) => kind === 'database loses its newest events');
    this.actions = {
      closeConnections: () => this.network.closeConnections(),
      useOurSequence: () => this.network.useSequence(0),
    };
  }

  /** A new id at the current time of the wall clock. */
  newUlid(): string {
    return `${ulid(this.time.wall.getTime()).slice(0, 10)}${this.newId().slice(10)}`;
  }

  newId(): string {
    this.#ids += 1;
    return String(this.#ids).padStart(26, '0');
  }

  /** New bytes at each call, which draw no random number. */
  randomBytes(size: number): Buffer {
    this.#nonces += 1;
    return createHash('shake256', { outputLength: size }).update(`${this.#nonces}`).digest();
  }
}
