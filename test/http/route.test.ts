import { test } from 'tap';
import type { OffloadedDeps } from '../../src/http/offload/offloaded-deps.ts';
import { getProof } from '../../src/http/proofs/get-proof.ts';
import { defineOffloadedRoute, defineRoute } from '../../src/http/route.ts';
import type { RouteDeps } from '../../src/http/route-deps.ts';
import { offloadedRoutesWith, routesWith } from '../../src/http/routes-with.ts';
import { listRuns } from '../../src/http/runs/list-runs.ts';

const reply = async (deps: object) => ({ status: 200, body: Object.keys(deps) });
const list = routesWith<RouteDeps>();
const listOffloaded = offloadedRoutesWith<OffloadedDeps>();

// The type check refuses an unused directive below.
test('a listed route may name only dependencies that it receives', async (t) => {
  const beyondThread = defineOffloadedRoute({
    ...listRuns,
    handle: (_: unknown, deps: OffloadedDeps & Pick<RouteDeps, 'signal'>) => reply(deps),
  });
  const all = defineOffloadedRoute({
    ...listRuns,
    handle: (_: unknown, deps: RouteDeps) => reply(deps),
  });
  const beyondRegistry = defineRoute({
    ...getProof,
    handle: (_: unknown, deps: RouteDeps & { unknown: true }) => reply(deps),
  });
  const earlyBeyondRegistry = defineOffloadedRoute({
    ...listRuns,
    before: async (_: unknown, deps: RouteDeps & { unknown: true }) => void deps,
  });
  const fitting = defineOffloadedRoute({
    ...listRuns,
    before: async (_: unknown, { signal }: Pick<RouteDeps, 'signal'>) => void signal,
    handle: (_: unknown, deps: Pick<OffloadedDeps, 'db'>) => reply(deps),
  });
  const listed = [
    // @ts-expect-error no thread has a signal
    ...listOffloaded(beyondThread),
    // @ts-expect-error no thread has all of it
    ...listOffloaded(all),
    // @ts-expect-error there is no such dependency
    ...list(getProof, beyondRegistry),
    // @ts-expect-error there is no such dependency
    ...list(earlyBeyondRegistry),
    ...listOffloaded(fitting),
    ...list(fitting, getProof),
  ];
  t.equal(listed.length, 8);
});
