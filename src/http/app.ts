import Router from '@koa/router';
import Koa from 'koa';
import { loggable } from '../errors/loggable.ts';
import { runRoute } from './calls/run-route.ts';
import { createConsoleApi } from './console/console-api.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { runConsole } from './console/run-console.ts';
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
import { describeApi } from './openapi/described-api.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { type PageFiles, readPageFiles } from './pages/page-files.ts';
import { problemPages } from './pages/problem-page.ts';
import { type PageDeps, redirectWithoutSlash, runPage } from './pages/run-page.ts';
import { createQuickstart } from './quickstart/quickstart.ts';
import { referenceContent } from './reference/reference-content.ts';
import type { Context, Next, RequestState } from './request-state.ts';
import { bindApi, bindConsoleRoute, bindRoute } from './rooms/bind-routes.ts';
import { createConsoleRooms } from './rooms/create-console-rooms.ts';
import { createRooms } from './rooms/create-rooms.ts';
import { createConsoleDeps, createRunDeps } from './rooms/create-run-deps.ts';
import { createShared } from './rooms/create-shared.ts';
import type { Shared } from './rooms/shared.ts';
import { pageRoutes, routes } from './routes.ts';
import type { Services } from './services.ts';

/** The HTTP API over the given services, which it neither opens nor closes. */
export function createApp(services: Services): Koa<RequestState> {
  const { telemetry, site, sources } = services;
  const { log, onHandled, trace } = telemetry;
  const app = new Koa<RequestState>();
  // Errors that the error boundary can no longer answer, such as a client that disconnects during
  // the answer.
  app.on('error', (error: unknown, ctx?: Context) =>
    log.debug({ requestId: ctx?.state.requestId, err: loggable(error) }, 'connection lost'),
  );
  app.use(requestId(sources.newId));
  if (trace) app.use(traceRequests(trace));
  if (onHandled) app.use(observeRequests(onHandled));
  app.use(requestLog(log));
  app.use(commonHeaders(services));
  const { publicUrl } = site;
  const pages = readPageFiles(
    publicUrl,
    () => referenceContent(openApiDocument(routes, publicUrl())),
    site.operator,
  );
  const pagePaths = [...pageRoutes, ...consoleRoutes].map(({ path }) => path);
  app.use(errorBoundary(log, problemPages({ pages, publicUrl, pagePaths })));
  app.use(requireTarget);
  app.use(cors());
  app.use(requireHost);
  app.use(requireFraming);
  app.use(createRouter(services, pages).routes());
  app.use(noRoute);
  return app;
}

function createRouter(services: Services, pages: PageFiles): Router<RequestState> {
  // A trailing slash changes nothing, except for pages, whose addresses are relative.
  const router = new Router<RequestState>({ sensitive: true, strict: false });
  const { publicUrl } = services.site;
  const shared = createShared(services);
  const rooms = createRooms(services, shared, {
    openApi: describeApi(routes, publicUrl),
    quickstart: createQuickstart(routes, { publicUrl, ...services.limits }),
  });
  const run = createRunDeps(services, shared);
  for (const route of routes.root) {
    router.register(route.path, [route.method], runRoute(bindRoute(route, rooms), run, ''));
  }
  const pageDeps = createPageDeps(services, shared, pages);
  for (const page of pageRoutes) {
    router.register(page.path, ['GET'], runPage(page, pageDeps, run), { strict: true });
    if (page.path !== '/') {
      router.register(`${page.path}/`, ['GET'], redirectWithoutSlash(page), { strict: true });
    }
  }
  const api = bindApi([...routes.based, ...routes.root], rooms);
  const consoleApi = createConsoleApi({ run, api });
  const consoleRooms = createConsoleRooms(services, shared, consoleApi);
  const consoleDeps = createConsoleDeps(services, shared);
  for (const route of consoleRoutes) {
    const method = route.kind === 'open' || route.kind === 'view' ? 'GET' : 'POST';
    const handle = runConsole(bindConsoleRoute(route, consoleRooms), consoleDeps);
    router.register(route.path, [method], handle, { strict: true });
  }
  router.register(mcpPath, ['POST'], runMcp(mcpTools, { run, api, publicUrl }));
  for (const base of routes.bases) {
    for (const route of routes.based) {
      const handle = runRoute(bindRoute(route, rooms), run, base);
      router.register(`${base}${route.path}`, [route.method], handle);
    }
  }
  return router;
}

function createPageDeps(
  { events: { store, db }, certification: { certificates }, site, sources }: Services,
  { publicFacts }: Shared,
  pages: PageFiles,
): PageDeps {
  return {
    store,
    db,
    certificates,
    now: sources.now,
    publicUrl: site.publicUrl,
    publicFacts,
    pages,
  };
}

/**
 * Sets `Connection: close` after the handler, so that a request under way when draining began
 * closes its connection too.
 */
function commonHeaders({ lifecycle: { draining }, site: { https = false } }: Services) {
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
