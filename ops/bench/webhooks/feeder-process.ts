import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openOrganisation } from '../../../src/commands/open-organisation.ts';
import { registerWebhook } from '../../../src/commands/register-webhook.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import type { EventStore, StreamAppend } from '../../../src/event-store/event-store.ts';
import { createTurns } from '../../../src/event-store/handling/turns.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { serveParent } from '../harness/helper-process.ts';
import { openStore } from '../harness/open-store.ts';
import { anchorEvents } from '../samples/anchor-events.ts';
import { createRequestedEvents } from '../samples/requested-events.ts';

const meta = { actor: 'operator' } as const;
const maxConnections = 4;

/** Appends to the log beside the service, as its other processes would. */
const orders = {
  open: ({ url, masterKey }: { readonly url: string; readonly masterKey: string }): void => {
    const key = Buffer.from(masterKey, 'base64');
    opened = openStore(url, { masterKey: key, maxConnections }).store;
  },
  /** Opens an organisation with endpoints for completed proofs. */
  organisation: async ({ urls }: { readonly urls: readonly string[] }): Promise<void> => {
    const deps = { store: store(), newId: newUlid, randomBytes, turns: createTurns() };
    const order = { name: 'Benchmark', plan: 'professional' } as const;
    const organisationId = await openOrganisation(deps, order, meta);
    for (const url of urls) {
      const endpoint = { organisationId, url, events: ['proof.completed'] as const };
      const webhooks = { checkUrl: async () => null };
      await registerWebhook({ ...deps, webhooks }, { ...endpoint, description: null }, meta);
    }
    completed.push(createCompletedProofs(organisationId));
  },
  /** Appends completed proofs of the organisations in turn, as fast as possible. */
  fill: async ({ proofs }: { readonly proofs: number }): Promise<void> => {
    for (let made = 0; made < proofs; made += batchSize) {
      const count = Math.min(batchSize, proofs - made);
      await Promise.all(Array.from({ length: count }, () => append()));
    }
  },
  /** Appends at a fixed rate, without waiting for earlier appends. */
  feed: async (rate: { readonly perSecond: number; readonly seconds: number }): Promise<number> => {
    const startedAt = performance.now();
    const total = rate.perSecond * rate.seconds;
    const appending: Promise<unknown>[] = [];
    for (let n = 0; n < total; n += 1) {
      const dueAt = startedAt + (n * 1_000) / rate.perSecond;
      await delay(Math.max(0, dueAt - performance.now()));
      appending.push(append());
    }
    await Promise.all(appending);
    return total;
  },
};
export type FeederOrders = typeof orders;

const batchSize = 200;
const completed: (() => StreamAppend)[] = [];
let opened: EventStore | null = null;
let turn = 0;

function store() {
  if (opened === null) throw new Error('the feeder has no open database');
  return opened;
}

function append() {
  const next = completed[turn % completed.length];
  if (next === undefined) throw new Error('the feeder has no organisation');
  turn += 1;
  return store().append([next()], meta);
}

/** Events of a proof from request to anchor in one append, without a ledger. */
function createCompletedProofs(organisationId: OrganisationId): () => StreamAppend {
  const next = createRequestedEvents(organisationId);
  return () => {
    const entry = next();
    const transactionHash = randomBytes(32).toString('hex').toUpperCase();
    const { prepared, anchored } = anchorEvents(transactionHash, 5);
    return { ...entry, events: [...entry.events, prepared, anchored] };
  };
}

serveParent(orders);
