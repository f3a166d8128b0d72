import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { NEVER } from 'rxjs';
import { access } from '../../../projections/access/project.ts';
import { issueKey } from '../../../src/commands/issue-key.ts';
import { openLog } from '../../../src/commands/open-log.ts';
import { openOrganisation } from '../../../src/commands/open-organisation.ts';
import { createTurns } from '../../../src/event-store/handling/turns.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { createApp } from '../../../src/http/app.ts';
import { createKeyUses } from '../../../src/http/keys/key-uses.ts';
import { createAddressReader } from '../../../src/http/limits/client-address.ts';
import { createPostgresLimiter } from '../../../src/http/limits/postgres-limiter.ts';
import type { RequestLimiter } from '../../../src/http/limits/request-limiter.ts';
import { startServer } from '../../../src/http/server.ts';
import type { Services } from '../../../src/http/services.ts';
import { catchUp } from '../../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import type { Gettable } from '../harness/getting-process.ts';
import { serveParent } from '../harness/helper-process.ts';
import { openStore } from '../harness/open-store.ts';
import { createRequestedEvents } from '../samples/requested-events.ts';

/**
 * One API, served twice on the same database: with the limiter, and with a limiter that never
 * counts.
 */
export interface LimitedApis {
  readonly limited: string;
  readonly unlimited: string;
  /** Keys of one organisation, with limits that are never reached; each reads a proof. */
  readonly gettables: readonly Gettable[];
  /** Keys with default limits, ten in each organisation; enough to call them in turn. */
  readonly ordinary: readonly Gettable[];
  /** A key with one request a day. */
  readonly spent: Gettable;
}

export interface LimitedKeys {
  readonly url: string;
  readonly keys: number;
  readonly ordinary: number;
}

const meta = { actor: 'operator' } as const;
const organisation = { name: 'A', plan: 'enterprise' } as const;
/** Ten ordinary keys together have the same limit as their organisation. */
const keysPerOrganisation = 10;
const neverCounts: RequestLimiter = {
  take: async () => null,
  look: async () => null,
  giveBack: async () => null,
};

const orders = {
  async open({ url, keys, ordinary }: LimitedKeys): Promise<LimitedApis> {
    const masterKey = randomBytes(32);
    const { db, store } = openStore(url, { masterKey, maxConnections: 20 });
    const commands = { turns: createTurns(), countKeys: async () => 0 };
    const deps = { ...commands, store, newId: newUlid, randomBytes, now: () => new Date() };
    await openLog(deps, meta);
    await prepareProjection(db, access);
    const plenty = 1_000_000_000;
    /** Opens an organisation with a proof, and issues keys that can read it. */
    const open = async (count: number, limit: number | null): Promise<Gettable[]> => {
      const organisationId = await openOrganisation(deps, organisation, meta);
      const order = {
        ...{ organisationId, name: null, agent: false, expiresAt: null, issuedBy: null },
        ...{ scopes: ['documents:read'], requestsPerMinute: limit, requestsPerDay: limit },
      };
      const requested = createRequestedEvents(organisationId)();
      await store.append([requested], meta);
      const path = `/api/v1/proofs/${requested.stream.slice('proof-'.length)}`;
      const issued = await Promise.all(
        Array.from({ length: count }, () => issueKey(deps, order, meta)),
      );
      return issued.map(({ key }) => ({ key, path }));
    };
    const gettables = await open(keys, plenty);
    const organisations = Array.from({ length: ordinary / keysPerOrganisation }, () =>
      open(keysPerOrganisation, null),
    );
    const ordinaryOnes = (await Promise.all(organisations)).flat();
    const [spent] = await open(1, 1);
    if (spent === undefined) throw new Error('the API process issued no key to use up');
    await catchUp({ db, store, projections: [access], position: await store.head() });

    const log = pino({ level: 'silent' });
    const keyUses = createKeyUses(db, { onError: () => {} });
    const services = {
      events: { store, db, signal: { changes: NEVER } },
      files: { maxUploadBytes: 1 },
      publishedLog: {},
      certification: {},
      ledger: { network: 'testnet', gateways: [], ownAccounts: [] },
      calls: { keyUses, proofWaitMs: 1 },
      site: { publicUrl: () => 'http://127.0.0.1' },
      lifecycle: { draining: new AbortController().signal, readiness: async () => [] },
      telemetry: { log },
      sources: deps,
      // Services that a GET of a proof does not use are absent.
    } as unknown as Omit<Services, 'limits'>;
    const serve = async (limiter: RequestLimiter) => {
      const app = createApp({
        ...services,
        limits: {
          limiter,
          addressOf: createAddressReader([]),
          addressRequestsPerMinute: plenty,
          itemsPerDay: plenty,
        },
      });
      const { port } = await startServer(app, { host: '127.0.0.1', port: 0, log, newId: newUlid });
      return `http://127.0.0.1:${port}`;
    };
    return {
      limited: await serve(createPostgresLimiter(url, { log })),
      unlimited: await serve(neverCounts),
      ...{ gettables, ordinary: ordinaryOnes, spent },
    };
  },
};
export type LimitedApiOrders = typeof orders;

serveParent(orders);
