import { createAccountBalances } from '../console/account/account-balances.ts';
import type { ConsoleApi } from '../console/console-api.ts';
import { createLive } from '../console/live/create-live.ts';
import type { Services } from '../services.ts';
import type { Shared } from './shared.ts';

/** The dependencies of the console's routes, by what they are for. */
export type ConsoleRooms = ReturnType<typeof createConsoleRooms>;

/** Gives each part of the console the dependencies of its routes. */
export function createConsoleRooms(services: Services, shared: Shared, consoleApi: ConsoleApi) {
  const { events, files, ledger, sources, webhooks } = services;
  const { store, db, signal, watch } = events;
  const { newId, randomBytes, now } = sources;
  const { publicUrl, identityProvider } = services.site;
  const { keyUses, turns } = services.calls;
  const { limiter } = services.limits;
  const { log } = services.telemetry;
  const { people, ledgers, shares, publicFacts } = shared;
  const reading = { store, db, signal };
  return {
    entry: { ...reading, people, identityProvider, randomBytes, now, log },
    people: { store, db, people, ...sources },
    keys: { ...reading, people, keyUses, turns, ...sources },
    workspaces: { ...reading, turns, newId },
    proving: { ...reading, consoleApi, maxUploadBytes: files.maxUploadBytes },
    documents: { ...reading, ...sources, ledgers, publicUrl, shares, consoleApi },
    runs: { ...reading, ledgers, publicUrl, consoleApi },
    webhooks: { store, ...sources, webhooks, consoleApi },
    usage: { ...reading, limiter, now },
    live: { live: createLiveOf(services, shared), watch },
    account: {
      ...{ ledgers, publicFacts, network: ledger.network },
      accountBalances: createAccountBalances(ledger.gateways),
    },
  };
}

function createLiveOf(
  { events, limits, lifecycle, site, telemetry, sources }: Services,
  { people }: Shared,
) {
  const { store, db, signal, watch, tail } = events;
  return createLive({
    ...{ store, db, signal, watch, tail, people },
    ...{ limiter: limits.limiter, now: sources.now, draining: lifecycle.draining },
    ...{ log: telemetry.log, liveOptions: site.liveOptions },
  });
}
