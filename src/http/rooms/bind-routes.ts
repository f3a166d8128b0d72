import type { ConsoleRoute } from '../console/console-route.ts';
import type { BoundRoute, Route } from '../route.ts';
import type { InRoom } from './routes-of.ts';

type Handler = (call: unknown, deps: unknown, found?: unknown) => Promise<never>;

/** Gives a route of the API the dependencies of its room. */
export function bindRoute<Rooms>(
  route: InRoom<Route, keyof Rooms>,
  rooms: Rooms,
  changes: object = {},
): BoundRoute {
  return bind(route, { ...rooms[route.room], ...changes }) as BoundRoute;
}

/** Gives a route of the console the dependencies of its room. */
export function bindConsoleRoute<Rooms>(
  route: InRoom<ConsoleRoute, keyof Rooms>,
  rooms: Rooms,
): ConsoleRoute<void> {
  return bind(route, rooms[route.room]) as ConsoleRoute<void>;
}

/** Finds a listed route. `newId` replaces that of its room; a `TypeError` if the room has none. */
export type ApiRoutes = (
  route: { readonly operationId: string },
  newId?: () => string,
) => BoundRoute;

export function bindApi<Rooms>(
  listed: readonly InRoom<Route, keyof Rooms>[],
  rooms: Rooms,
): ApiRoutes {
  const byId = new Map(listed.map((route) => [route.operationId, route]));
  return ({ operationId }, newId) => {
    const route = byId.get(operationId);
    if (route === undefined) throw new TypeError(`${operationId} is not listed`);
    if (newId === undefined) return bindRoute(route, rooms);
    const room: object = rooms[route.room] ?? {};
    if (!('newId' in room))
      throw new TypeError(`the room of ${operationId} has no newId to replace`);
    return bindRoute(route, rooms, { newId });
  };
}

/** `routesOf` has checked that the dependencies suit the handlers. */
function bind(route: Route | ConsoleRoute, deps: unknown): object {
  const given = (handler: unknown) => (call: unknown, _none: unknown, found: unknown) =>
    (handler as Handler)(call, deps, found);
  return {
    ...route,
    handle: given(route.handle),
    ...('before' in route && { before: given(route.before) }),
    ...('again' in route && { again: given(route.again) }),
  };
}
