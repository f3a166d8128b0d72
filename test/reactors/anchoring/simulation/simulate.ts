import { createWorkspace } from '../../../../src/commands/create-workspace.ts';
import { openLog } from '../../../../src/commands/open-log.ts';
import { openOrganisation } from '../../../../src/commands/open-organisation.ts';
import { randomFrom } from '../../../support/seed.ts';
import type { AnchoringProcess } from './anchoring-process.ts';
import type { Tenant } from './api-process.ts';
import { Callers } from './callers.ts';
import { checkEnd } from './check-end.ts';
import type { Scenario, WorldEvent } from './faults.ts';
import { anchoringSlot, apiSlot } from './process-slot.ts';
import { proofsOf } from './proofs-of.ts';
import { accounts } from './simulated-accounts.ts';
import { Uploaders } from './uploaders.ts';
import { VirtualTime } from './virtual-time.ts';
import { World } from './world.ts';
import { happen, operatorLooksMs } from './world-events.ts';

/** Result of a scenario. */
export interface Outcome {
  /** All violations, in words. */
  readonly violations: readonly string[];
  /** Number of times that callers received each answer, such as `502 XRPL_ERROR`. */
  readonly answers: ReadonlyMap<string, number>;
  /** Number of times that uploaders received each answer. */
  readonly uploadAnswers: ReadonlyMap<string, number>;
  /** Final status of each proof. */
  readonly statuses: readonly string[];
  readonly virtualMs: number;
  readonly ledgers: number;
  /** Number of transactions that were replaced by a higher fee. */
  readonly replacements: number;
  /** Number of transactions that waited for a later ledger than the one that was open when they were signed. */
  readonly ahead: number;
  /** Number of new epochs of the log after losses. */
  readonly restores: number;
  readonly world: World;
  readonly processes: readonly AnchoringProcess[];
}

/** Maximum number of ledgers to wait after the last fault. */
const patienceLedgers = 400;
const settleMs = 45_000;

/** Runs a scenario in virtual time. The same scenario always ends alike. */
export async function simulate(scenario: Scenario): Promise<Outcome> {
  const time = new VirtualTime();
  const uninstall = time.install(randomFrom(scenario.seed + 1));
  try {
    return await live(scenario, time);
  } finally {
    uninstall();
  }
}

async function live(scenario: Scenario, time: VirtualTime): Promise<Outcome> {
  const world = new World(scenario, time);
  const tenant = await openTenant(world, scenario.allowance);
  const api = apiSlot(world, tenant, scenario.waitMs);
  const anchoring = Array.from({ length: scenario.processes }, (_, place) => {
    const full = place < scenario.fullSigners ? scenario.accounts : 1;
    return anchoringSlot(world, accounts.slice(0, full));
  });
  const slots = { api, anchoring };
  const callers = new Callers(world, () => api.current);
  for (const post of scenario.posts) callers.plan(post);
  const uploaders = new Uploaders(world, tenant, () => api.current);
  for (const upload of scenario.uploads) uploaders.plan(upload);

  const { truth, operator } = world;
  world.kept = world.database.store.events.length;
  if (world.mayLose) {
    operator.watch(() => {
      for (const slot of [api, ...anchoring]) slot.current.effects.kill();
    });
  }
  const isSettled = () =>
    truth.open.size === 0 &&
    truth.openProofs.size === 0 &&
    (world.mayLose ? !operator.isNeeded : truth.checkpoints.isSettled);
  const isFrozen = () => anchoring.some((slot) => slot.current.effects.frozen);
  const isWaiting = () => callers.waiting + uploaders.waiting > 0;
  const isQuiet = () => !isWaiting() && isSettled() && !isFrozen();

  const endings = new Set<() => void>();
  let eventsOverMs = 0;
  const calls = [...scenario.posts, ...scenario.uploads];
  for (const event of scenario.events) {
    const forMs = 'forMs' in event ? event.forMs : 0;
    eventsOverMs = Math.max(eventsOverMs, event.atMs + forMs + settledMs(event));
    time.at(event.atMs, () => {
      const end = happen(world, slots, event);
      endings.add(end);
      if (forMs > 0) time.at(forMs, () => endings.delete(end) && end());
    });
  }
  const isOver = () => time.nowMs >= eventsOverMs && isQuiet();
  const lastMs = Math.max(eventsOverMs, ...calls.map(({ atMs }) => atMs));
  await time.runUntil(isOver, lastMs + settleMs);
  world.plan.over = true;
  for (const end of endings) end();

  const patienceMs = patienceLedgers * scenario.closeMs;
  const quiet = await time.runUntil(isQuiet, time.nowMs + patienceMs);
  // After a loss, the log may have proofs of which callers know that they were rolled back.
  const rolledBack = world.mayLose ? [] : callers.rolledBack();
  for (const file of rolledBack) {
    callers.plan({ atMs: time.nowMs, file, queued: false, again: 4, pauseMs: scenario.closeMs });
  }
  const again = await time.runUntil(isQuiet, time.nowMs + patienceMs);
  // Leave time for withdrawn proofs to appear wrongly on the ledger.
  await time.runUntil(() => false, time.nowMs + 12 * scenario.closeMs);
  const violations = checkEnd({
    world,
    callers,
    uploaders,
    allowance: scenario.allowance,
    anchoring,
    api,
    rolledBack,
    quiet: quiet && again,
  });
  for (const slot of anchoring) slot.close();
  api.close();
  return {
    violations,
    answers: callers.answers,
    uploadAnswers: uploaders.answers,
    statuses: [...proofsOf(world).values()].map(({ state }) => state.status),
    virtualMs: time.nowMs,
    ledgers: world.network.ledgers,
    replacements: truth.replacements,
    ahead: truth.ahead,
    restores: operator.restores,
    world,
    processes: anchoring.flatMap((slot) => [...slot.past, slot.current]),
  };
}

/** Time until an operator has settled the event and the log has recorded it. */
function settledMs(event: WorldEvent): number {
  return event.kind === 'ledger reset' ? event.settledAfterMs + operatorLooksMs : 0;
}

async function openTenant(world: World, uploadAllowance: number | null): Promise<Tenant> {
  const { store } = world.database;
  const deps = { store, newId: () => world.newId() };
  const meta = { actor: 'operator' } as const;
  await openLog(deps, meta);
  const opened = { name: 'Ö', plan: 'enterprise', uploadAllowance } as const;
  const organisationId = await openOrganisation(deps, opened, meta);
  const workspaceId = await createWorkspace(deps, { organisationId, name: 'W' }, meta);
  return { organisationId, workspaceId };
}
