import type { ConsoleRoute } from './console/console-route.ts';
import type { OffloadedRoute, Route } from './route.ts';

/**
 * Lists routes whose handlers receive `Deps`. A route that names a dependency which `Deps` lacks
 * does not compile. Assignment alone does not check this, since handlers are methods.
 */
export function routesWith<Deps>() {
  return <const Listed extends readonly (Route | ConsoleRoute)[]>(
    ...routes: Listed & { readonly [Index in keyof Listed]: Given<Deps, DepsOf<Listed[Index]>> }
  ): Listed => routes;
}

/** As `routesWith`; the handlers run on a thread, where they receive `ThreadDeps`. */
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
