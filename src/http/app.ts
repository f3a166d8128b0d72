import Router from '@koa/router';
import Koa from 'koa';
import { ReplaySubject } from 'rxjs';
import { findKeyAccesses } from '../../projections/access/query.ts';
import { loggable } from '../errors/loggable.ts';
import { createReadCoalescer } from '../event-store/read-coalescer.ts';
import { createKnownPeople } from '../loading/known-people.ts';
import { createKnownLedgers } from '../views/known-ledgers.ts';
import { runRoute } from './calls/run-route.ts';
import { createAccountBalances } from './console/account/account-balances.ts';
import { createConsoleApi } from './console/console-api.ts';
import { createLive } from './console/live/create-live.ts';
import { runConsole } from './console/run-console.ts';
import { findSessions } from './console/sessions.ts';
import { createFileLookUp, createStoredBytes } from './documents/stored-bytes.ts';
import { errorBoundary } from './errors/error-boundary.ts';
import { cors, isForAnyOrigin } from './headers/cors.ts';
import { securityHeaders } from './headers/security-headers.ts';
import { mcpTools } from './mcp/mcp-tools.ts';
import { mcpPath, runMcp } from './mcp/run-mcp.ts';
import { noRoute } from './middleware/no-route.ts';
import { observeRequests } from './middleware/observe-requests.ts';
import { requestLog } from './middleware/request-log.ts';
import {
  hasPath,
  requireFraming,
  requireHost,
  requireTarget,
} from './middleware/request-target.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import { handleOrder, parseOrder } from './offload/handle-order.ts';
import type { Offload } from './offload/offload.ts';
import { handOverReply } from './offload/offload-answer.ts';
import type { OffloadedDeps } from './offload/offloaded-deps.ts';
import { describeApi } from './openapi/described-api.ts';
import { openApiDocument, type Routes } from './openapi/openapi-document.ts';
import { readPageFiles } from './pages/page-files.ts';
import { problemPages } from './pages/problem-page.ts';
import { createPublicFacts } from './pages/public-facts.ts';
import { redirectWithoutSlash, runPage } from './pages/run-page.ts';
import { watchLedgerAbsence } from './proofs/ledger-absence.ts';
import { createPacedLookUps } from './proofs/paced-look-ups.ts';
import { readPublicFacts } from './quickstart/get-docs.ts';
import { createQuickstart } from './quickstart/quickstart.ts';
import { referenceContent } from './reference/reference-content.ts';
import type { Context, Next, RequestState } from './request-state.ts';
import type { Route } from './route.ts';
import type { RouteDeps } from './route-deps.ts';
import { consolePages, keyedRoutes, openBasedRoutes, openRoutes, pageRoutes } from './routes.ts';
import type { Services } from './services.ts';
import { createShares } from './shares/create-shares.ts';

/** The second base is open to pages of any origin. */
export const routes: Routes<Route<RouteDeps>> = {
  bases: ['/api/v1', '/api/public/v1'],
  based: [...keyedRoutes, ...openBasedRoutes],
  root: openRoutes,
};

const defaultDrainGraceMs = 4_000;

/** The HTTP API over the given services, which it neither opens nor closes. */
export function createApp(services: Services): Koa<RequestState> {
  const { log, newId } = services;
  const app = new Koa<RequestState>();
  // Errors that the error boundary can no longer answer, such as a client that disconnects during
  // the answer.
  app.on('error', (error: unknown, ctx?: Context) =>
    log.debug({ requestId: ctx?.state.requestId, err: loggable(error) }, 'connection lost'),
  );
  app.use(requestId(newId));
  if (services.trace) app.use(traceRequests(services.trace));
  if (services.onHandled) app.use(observeRequests(services.onHandled));
  app.use(requestLog(log));
  app.use(commonHeaders(services));
  const deps = createDeps(services);
  app.use(
    errorBoundary(
      log,
      problemPages({
        ...deps,
        pagePaths: [...pageRoutes, ...consolePages].map(({ path }) => path),
      }),
    ),
  );
  app.use(requireTarget);
  app.use(cors());
  app.use(requireHost);
  app.use(requireFraming);
  const router = createRouter(deps);
  app.use(router.routes());
  app.use(noRoute);
  return app;
}

function createRouter(deps: RouteDeps): Router<RequestState> {
  // A trailing slash changes nothing, except for pages, whose addresses are relative.
  const router = new Router<RequestState>({ sensitive: true, strict: false });
  for (const route of routes.root) {
    router.register(route.path, [route.method], runRoute(route, deps, ''));
  }
  for (const page of pageRoutes) {
    router.register(page.path, ['GET'], runPage(page, deps), { strict: true });
    if (page.path !== '/') {
      router.register(`${page.path}/`, ['GET'], redirectWithoutSlash(page), { strict: true });
    }
  }
  for (const route of consolePages) {
    const method = route.kind === 'open' || route.kind === 'view' ? 'GET' : 'POST';
    router.register(route.path, [method], runConsole(route, deps), { strict: true });
  }
  router.register(mcpPath, ['POST'], runMcp(mcpTools, deps));
  for (const base of routes.bases) {
    for (const route of routes.based) {
      router.register(`${base}${route.path}`, [route.method], runRoute(route, deps, base));
    }
  }
  return router;
}

function createDeps(services: Services): RouteDeps {
  const { draining, drainGraceMs = defaultDrainGraceMs } = services;
  const drained = new ReplaySubject<void>(1);
  const drain = () => setTimeout(() => drained.next(), drainGraceMs).unref();
  if (draining.aborted) drain();
  else draining.addEventListener('abort', drain, { once: true });
  const keyAccesses = createReadCoalescer((keyHashes: readonly string[]) =>
    findKeyAccesses(services.repeated ?? services.db, keyHashes, services.now()),
  );
  const sessions = createReadCoalescer((tokenHashes: readonly string[]) =>
    findSessions(services, tokenHashes),
  );
  const ledgers = createKnownLedgers(services);
  const people = createKnownPeople(services.store);
  const deps = {
    shares: createShares(),
    ...services,
    ledgers,
    people,
    ledgerAbsence: watchLedgerAbsence(services.gateways, services.ledgerAwayMs),
    accountBalances: createAccountBalances(services.gateways),
    lookUp: createPacedLookUps(services.lookUpPace),
    openApi: describeApi(routes, services.publicUrl),
    quickstart: createQuickstart(routes, services),
    keyAccesses,
    sessions,
    storedBytes: createStoredBytes(services),
    mayHaveFile: createFileLookUp(services),
    drained,
    live: createLive({ ...services, people }),
    pages: readPageFiles(
      services.publicUrl,
      () => referenceContent(openApiDocument(routes, services.publicUrl())),
      services.operator,
    ),
    publicFacts: createPublicFacts(
      () => readPublicFacts({ ...services, ledgers }),
      () => performance.now(),
    ),
  };
  const all = { offload: offloadNowhere(deps), ...deps };
  return { ...all, consoleApi: createConsoleApi(all) };
}

/** Runs offloaded work on the main thread. */
function offloadNowhere(deps: OffloadedDeps): Offload {
  return {
    handle: async (order) => handOverReply(await handleOrder(order, deps)).answer,
    parse: parseOrder,
  };
}

/**
 * Sets `Connection: close` after the handler, so that a request under way when draining began
 * closes its connection too.
 */
function commonHeaders({ draining, https = false }: Services) {
  const forAnyOrigin = securityHeaders({ anyOrigin: true, https });
  const forOurs = securityHeaders({ anyOrigin: false, https });
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.set(hasPath(ctx) && isForAnyOrigin(ctx.path) ? forAnyOrigin : forOurs);
    await next();
    if (draining.aborted) ctx.set('Connection', 'close');
  };
}

/** Gives every request a ULID of its own and every response an `X-Request-Id`. */
function requestId(newId: () => string) {
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.state.requestId = newId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}
