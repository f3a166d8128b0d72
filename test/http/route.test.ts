import { test } from 'tap';
import type { OffloadedDeps } from '../../src/http/offload/offloaded-deps.ts';
import { getProof } from '../../src/http/proofs/get-proof.ts';
import { defineOffloadedRoute, defineRoute } from '../../src/http/route.ts';
import type { RouteDeps } from '../../src/http/route-deps.ts';
import { listRuns } from '../../src/http/runs/list-runs.ts';

const reply = async (deps: object) => ({ status: 200, body: Object.keys(deps) });

// The type check refuses an unused directive below.
test('a handler may name only dependencies that it receives', async (t) => {
  const beyondThread = defineOffloadedRoute(
    // @ts-expect-error no thread has a signal
    {
      ...listRuns,
      handle: (_: unknown, deps: OffloadedDeps & Pick<RouteDeps, 'signal'>) => reply(deps),
    },
  );
  const all = defineOffloadedRoute(
    // @ts-expect-error no thread has all of it
    { ...listRuns, handle: (_: unknown, deps: RouteDeps) => reply(deps) },
  );
  const beyondRegistry = defineRoute(
    // @ts-expect-error there is no such dependency
    { ...getProof, handle: (_: unknown, deps: RouteDeps & { unknown: true }) => reply(deps) },
  );
  const fitting = defineOffloadedRoute({
    ...listRuns,
    before: async (_: unknown, { signal }: Pick<RouteDeps, 'signal'>) => void signal,
    handle: (_: unknown, deps: Pick<OffloadedDeps, 'db'>) => reply(deps),
  });
  const ids = [beyondThread, all, beyondRegistry, fitting].map(({ operationId }) => operationId);
  t.strictSame(ids, ['listAgentRuns', 'listAgentRuns', 'getProof', 'listAgentRuns']);
});
