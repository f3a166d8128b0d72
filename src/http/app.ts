import Router from '@koa/router';
import Koa from 'koa';
import { ReplaySubject } from 'rxjs';
import { findKeyAccesses } from '../../projections/access/query.ts';
import { createReadCoalescer } from '../event-store/read-coalescer.ts';
import { cors, isForAnyOrigin } from './cors.ts';
import { describeApi } from './described-api.ts';
import { errorBoundary } from './error-boundary.ts';
import { createKnownLedgers } from './known-ledgers.ts';
import { noRoute } from './no-route.ts';
import { observeRequests } from './observe-requests.ts';
import { handleOrder, parseOrder } from './offload/handle-order.ts';
import type { Offload, OffloadedDeps } from './offload/offload.ts';
import { handOverReply } from './offload/offload-answer.ts';
import type { Routes } from './openapi/openapi-document.ts';
import { createPacedLookUps } from './paced-look-ups.ts';
import { readPageFiles } from './page-files.ts';
import { createQuickstart } from './quickstart/quickstart.ts';
import { requestId } from './request-id.ts';
import { loggable, requestLog } from './request-log.ts';
import type { Context, Next, RequestState } from './request-state.ts';
import { hasPath, requireFraming, requireHost, requireTarget } from './request-target.ts';
import type { RouteDeps } from './route-deps.ts';
import { keyedRoutes, openBasedRoutes, openRoutes, pageRoutes } from './routes/routes.ts';
import { runPage } from './run-page.ts';
import { runRoute } from './run-route.ts';
import { securityHeaders } from './security-headers.ts';
import type { Services } from './services.ts';
import { createShares } from './shares/create-shares.ts';
import { traceRequests } from './trace-requests.ts';

/** The second base is for pages of any origin. */
export const routes: Routes = {
  bases: ['/api/v1', '/api/public/v1'],
  based: [...keyedRoutes, ...openBasedRoutes],
  root: openRoutes,
};

const defaultDrainGraceMs = 4_000;

/** The HTTP API over the given services. It opens and closes nothing. */
export function createApp(services: Services): Koa<RequestState> {
  const { log, newId } = services;
  const app = new Koa<RequestState>();
  // What the boundary cannot answer any more, such as a client that went away while it was answered.
  app.on('error', (error: unknown, ctx?: Context) =>
    log.debug({ requestId: ctx?.state.requestId, err: loggable(error) }, 'connection lost'),
  );
  app.use(requestId(newId));
  if (services.trace) app.use(traceRequests(services.trace));
  if (services.onHandled) app.use(observeRequests(services.onHandled));
  app.use(requestLog(log));
  app.use(commonHeaders(services));
  app.use(errorBoundary(log));
  app.use(requireTarget);
  app.use(cors());
  app.use(requireHost);
  app.use(requireFraming);
  const router = createRouter(createDeps(services));
  app.use(router.routes());
  app.use(noRoute);
  return app;
}

function createRouter(deps: RouteDeps): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const route of routes.root) {
    router.register(route.path, [route.method], runRoute(route, deps, ''));
  }
  for (const page of pageRoutes) router.register(page.path, ['GET'], runPage(page, deps));
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
    findKeyAccesses(services.db, keyHashes, services.now()),
  );
  const deps = {
    shares: createShares(),
    ...services,
    ledgers: createKnownLedgers(services.store),
    lookUp: createPacedLookUps(services.lookUpPace),
    openApi: describeApi(routes, services.publicUrl),
    quickstart: createQuickstart(routes, services),
    keyAccesses,
    drained,
    pages: readPageFiles(),
  };
  return { offload: offloadNowhere(deps), ...deps };
}

/** Does the work on the thread that serves all calls. */
function offloadNowhere(deps: OffloadedDeps): Offload {
  return {
    handle: async (order) => handOverReply(await handleOrder(order, deps)).answer,
    parse: parseOrder,
  };
}

/** Set last: a request that was under way when draining began closes its connection too. */
function commonHeaders({ draining, https = false }: Services) {
  const forAnyOrigin = securityHeaders({ anyOrigin: true, https });
  const forOurs = securityHeaders({ anyOrigin: false, https });
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.set(hasPath(ctx) && isForAnyOrigin(ctx.path) ? forAnyOrigin : forOurs);
    await next();
    if (draining.aborted) ctx.set('Connection', 'close');
  };
}
