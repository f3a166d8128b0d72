import type { ConsoleRoute } from '../console/console-route.ts';
import type { OffloadedRoute, Route } from '../route.ts';

/** A route, and the name of the room whose dependencies its handler receives. */
export type InRoom<Listed, Name> = Listed & { readonly room: Name };

/**
 * Lists routes by the rooms of `Rooms`. A route that names a dependency which its room lacks does
 * not compile. Assignment alone does not check this, since handlers are methods.
 */
export function routesOf<Rooms>() {
  return <const Name extends keyof Rooms, const Listed extends readonly (Route | ConsoleRoute)[]>(
    room: Name,
    ...routes: Listed & {
      readonly [Index in keyof Listed]: Given<Rooms[Name], DepsOf<Listed[Index]>>;
    }
  ): readonly InRoom<Listed[number], Name>[] =>
    (routes as Listed).map((route): InRoom<Listed[number], Name> => ({ ...route, room }));
}

/** As `routesOf`, for handlers that run on a thread, where all receive `ThreadDeps`. */
export function offloadedRoutesWith<ThreadDeps>() {
  return <const Listed extends readonly OffloadedRoute[]>(
    ...routes: Listed & {
      readonly [Index in keyof Listed]: Given<ThreadDeps, Parameters<Listed[Index]['handle']>[1]>;
    }
  ): Listed => routes;
}

/** Dependencies that the main thread must give to a route. */
type DepsOf<Listed> =
  Listed extends OffloadedRoute<infer _Params, infer _Query, infer _Body, infer _Deps, infer Early>
    ? Early
    : Listed extends { handle(call: never, deps: infer Deps, found: never): unknown }
      ? Deps
      : never;

/** `unknown`, or `never` if a route names a dependency that it does not receive. */
type Given<All, Named> = All extends Named ? unknown : never;
