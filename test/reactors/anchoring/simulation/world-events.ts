import { declareLedgerGone } from '../../../../src/commands/declare-ledger-gone.ts';
import type { AnchoringProcess } from './anchoring-process.ts';
import type { ApiProcess } from './api-process.ts';
import type { WorldEvent } from './faults.ts';
import type { ProcessSlot } from './process-slot.ts';
import { proofsOf } from './proofs-of.ts';
import type { SimulatedServer } from './simulated-server.ts';
import type { World } from './world.ts';

export interface Slots {
  readonly anchoring: readonly ProcessSlot<AnchoringProcess>[];
  readonly api: ProcessSlot<ApiProcess>;
}

/** Starts the event. The returned function ends it. */
export function happen(world: World, slots: Slots, event: WorldEvent): () => void {
  const { network, database } = world;
  const { chain } = network;
  const over = () => {};
  switch (event.kind) {
    case 'connections closed with 1008':
      network.closeConnections(serverOf(world, event));
      return over;
    case 'server silent':
      return change(serverOf(world, event), 'silent', true, false);
    case 'server slowed down':
      return change(serverOf(world, event), 'slowedDown', event.count, 0);
    case 'server lags':
      return change(serverOf(world, event), 'lag', event.ledgers, 0);
    case 'server forgets history': {
      const last = network.ledgers;
      const forgotten = { first: last - event.ledgers, last: last + 2 };
      return change(serverOf(world, event), 'forgotten', forgotten, null);
    }
    case 'ledgers that no process saw are forgotten':
      return forgetUnseen(world, slots);
    case 'server shows another ledger':
      return showAnother(world, serverOf(world, event));
    case 'ledger halted':
      return change(network, 'halted', true, false);
    case 'ledger reset':
      if (network.network === 'testnet') reset(world, event.settledAfterMs);
      return over;
    case 'load factor 1,000':
      return change(chain.node, 'loadFactor', 1_000, 1);
    case 'others fill every ledger':
      return change(chain.node.queue, 'pretended', { open: 2_000, queued: 0 }, noPretence);
    case 'fees rise':
      return change(chain.node, 'loadFactor', event.factor, 1);
    case 'queue full':
      return change(chain.node.queue, 'pretended', { open: 2_000, queued: 20_000 }, noPretence);
    case 'somebody else uses our Sequence':
      network.useSequence(event.account);
      return over;
    case 'transactions end with a tec':
      return change(chain, 'tecs', event.count, 0);
    case 'accepted transactions vanish':
      return change(chain, 'vanishing', event.count, 0);
    case 'database away':
      return change(database, 'away', world.random() < 0.5 ? 'before' : 'after', null);
    case 'database loses its newest events':
      lose(world, slots, event.count);
      return over;
    case 'clock jumps':
      world.time.wallOffsetMs += event.byMs;
      return over;
    case 'process killed':
      slots.anchoring[event.process % slots.anchoring.length]?.current.effects.kill();
      return over;
    case 'process frozen':
      slots.anchoring[event.process % slots.anchoring.length]?.current.effects.freeze(event.forMs);
      return over;
    case 'process follows the log late':
      slots.anchoring[event.process % slots.anchoring.length]?.current.followLate(event.forMs);
      return over;
    case 'locks lost':
      slots.anchoring[event.process % slots.anchoring.length]?.current.loseLocks();
      return over;
    case 'API killed':
      slots.api.current.effects.kill();
      return over;
    case 'an operator gives up':
      giveUp(world, event.proof);
      return over;
  }
}

const reconnectsWithinMs = 2_000;

/** Every connection and lock ends. Each process connects again within two seconds. */
function lose(world: World, slots: Slots, count: number): void {
  const { database, truth, time } = world;
  const lost = database.store.lose(count, world.kept);
  const head = database.store.events.length;
  world.checkpoints.lose(head);
  world.locks.endAll();
  truth.lost(lost, database.store.events);
  for (const slot of [...slots.anchoring, slots.api]) {
    time.at(world.random() * reconnectsWithinMs, () => slot.current.reconnect());
  }
}

const noPretence = { open: 0, queued: 0 };

function change<Thing extends object, Key extends keyof Thing>(
  thing: Thing,
  key: Key,
  during: Thing[Key],
  after: Thing[Key],
): () => void {
  thing[key] = during;
  return () => {
    thing[key] = after;
  };
}

function serverOf(world: World, { server }: { readonly server: number }): SimulatedServer {
  const { servers } = world.network;
  const found = servers[server % servers.length];
  if (found === undefined) throw new Error('a network has a server at least');
  return found;
}

/**
 * A server that changes its chain was away meanwhile. Needs a known ledger, since a process joins
 * any ledger at first.
 */
function showAnother(world: World, server: SimulatedServer): () => void {
  const { network, truth } = world;
  const known = [...truth.joined()].filter(([ledgerId]) => !truth.isGone(ledgerId));
  if (!known.some(([, record]) => record === network.chain.record)) return () => {};
  server.chain = network.stray();
  network.closeConnections(server);
  return () => {
    server.chain = network.chain;
    network.closeConnections(server);
  };
}

const unseenLedgers = 12;

/** All processes end. Ledgers closed before their return are lost with the restarted servers. */
function forgetUnseen({ network }: World, slots: Slots): () => void {
  for (const slot of slots.anchoring) slot.current.effects.kill();
  const first = network.ledgers + 1;
  const changes = network.servers.map((server) => {
    server.restart();
    return change(server, 'forgotten', { first, last: first + unseenLedgers }, null);
  });
  return () => {
    for (const remember of changes) remember();
  };
}

/** Interval between checks by the operator. */
export const operatorLooksMs = 5_000;

/** The network begins anew. After a while an operator checks repeatedly and settles it. */
function reset(world: World, settledAfterMs: number): void {
  const { network, time, truth } = world;
  if (network.servers.some(({ chain }) => chain !== network.chain)) return;
  network.reset();
  const look = () => {
    for (const [ledgerId, record] of truth.joined()) {
      if (record === network.chain.record || truth.isGone(ledgerId)) continue;
      void declareLedgerGone(world.database.store, ledgerId, { actor: 'operator' });
    }
    time.at(operatorLooksMs, look);
  };
  time.at(settledAfterMs, look);
}

/** One of the waiting queued proofs, if any. It may be signed before the operator is done. */
function giveUp(world: World, place: number): void {
  const waiting = [...proofsOf(world).values()].flatMap(({ state }) =>
    state.status === 'pending' && state.queued ? [state.request.proofId] : [],
  );
  const proofId = waiting[place % Math.max(waiting.length, 1)];
  if (proofId === undefined) return;
  void world.operator.giveUp(proofId);
}
