import { test } from 'tap';
import { postVersion } from '../../src/http/documents/post-version.ts';
import type { OffloadedDeps } from '../../src/http/offload/offloaded-deps.ts';
import { getProof } from '../../src/http/proofs/get-proof.ts';
import { bindApi, bindRoute } from '../../src/http/rooms/bind-routes.ts';
import type { Rooms } from '../../src/http/rooms/create-rooms.ts';
import { offloadedRoutesWith, routesOf } from '../../src/http/rooms/routes-of.ts';
import { defineOffloadedRoute, defineRoute } from '../../src/http/route.ts';
import { listRuns } from '../../src/http/runs/list-runs.ts';
import { postWebhook } from '../../src/http/webhooks/post-webhook.ts';

const reply = async (deps: object) => ({ status: 200, body: Object.keys(deps) });
const of = routesOf<Rooms>();
const listOffloaded = offloadedRoutesWith<OffloadedDeps>();

// The type check refuses an unused directive below.
test('a listed route may name only dependencies that it receives', async (t) => {
  const beyondThread = defineOffloadedRoute({
    ...listRuns,
    handle: (_: unknown, deps: OffloadedDeps & Pick<Rooms['runs'], 'signal'>) => reply(deps),
  });
  const beyondRoom = defineRoute({
    ...getProof,
    handle: (_: unknown, deps: Rooms['proofs'] & { unknown: true }) => reply(deps),
  });
  const earlyBeyondRoom = defineOffloadedRoute({
    ...listRuns,
    before: async (_: unknown, deps: Rooms['runs'] & { unknown: true }) => void deps,
  });
  const fitting = defineOffloadedRoute({
    ...listRuns,
    before: async (_: unknown, { signal }: Pick<Rooms['runs'], 'signal'>) => void signal,
    handle: (_: unknown, deps: Pick<OffloadedDeps, 'db'>) => reply(deps),
  });
  const listed = [
    // @ts-expect-error no thread has a signal
    ...listOffloaded(beyondThread),
    // @ts-expect-error the room has no such dependency
    ...of('proofs', getProof, beyondRoom),
    // @ts-expect-error the room has no such dependency
    ...of('runs', earlyBeyondRoom),
    // @ts-expect-error the room has other dependencies
    ...of('runs', postWebhook),
    ...listOffloaded(fitting),
    ...of('runs', fitting),
    ...of('proofs', getProof),
  ];
  t.equal(listed.length, 8);
});

test('a bound route receives the dependencies of its room, and no others', async (t) => {
  const given = (name: string) => ({
    ...postVersion,
    operationId: name,
    before: async (_: unknown, deps: unknown) => ({ before: deps }),
    handle: async (_: unknown, deps: unknown, found: unknown) => ({
      status: 200,
      body: { deps, found },
    }),
  });
  const rooms = { one: { newId: () => 'of the room', store: 1 }, other: { signal: 2 } };
  const [first, second] = [
    { ...given('first'), room: 'one' } as const,
    { ...given('second'), room: 'other' } as const,
  ];
  type Handle = (call: unknown, none?: unknown, found?: unknown) => Promise<{ body: never }>;
  const call = async (route: object, name: 'handle' | 'before') => {
    const handler = (route as Record<string, Handle>)[name];
    return handler?.({}, undefined, 'found');
  };
  t.strictSame(await call(bindRoute(second, rooms), 'handle'), {
    status: 200,
    body: { deps: rooms.other, found: 'found' },
  });
  t.strictSame(await call(bindRoute(second, rooms), 'before'), { before: rooms.other });
  const api = bindApi([first, second], rooms);
  t.strictSame(await call(api(first), 'before'), { before: rooms.one });
  const newId = () => 'of the call';
  t.strictSame(await call(api(first, newId), 'before'), { before: { ...rooms.one, newId } });
  t.throws(() => api(second, newId), { message: /^the room of second has no newId/ });
  t.throws(() => api({ operationId: 'third' }), { message: 'third is not listed' });
});
