import { z } from 'zod';
import { type AnchorRecord, findAnchor } from '../../../projections/anchors/query.ts';
import { awaitPosition, ProjectionBehind } from '../../subscriptions/await-position.ts';
import { defineOpenRoute } from '../route.ts';
import type { RouteDeps } from '../route-deps.ts';
import { transactionHashInput } from '../transaction-hash.ts';
import { verification } from '../verification.ts';
import { verifyOnLedger } from '../verify-on-ledger.ts';
import { verifyOwnAnchor } from '../verify-own-anchor.ts';

const catchUpMs = 1_000;

export const verifyTransaction = defineOpenRoute({
  method: 'GET',
  path: '/api/public/verify/:txHash',
  scope: null,
  summary: 'Verifies a ledger transaction; anybody may ask',
  params: transactionHashInput,
  responses: {
    200: {
      description: 'what the ledger says of it',
      schema: z.object({ success: z.literal(true), data: verification }),
    },
  },
  refusals: ['INVALID_TX_HASH', 'TRANSACTION_NOT_FOUND', 'XRPL_ERROR'],
  handle: async ({ params }, deps) => {
    const own = await findRecord(deps, params.txHash);
    const data =
      (own && (await verifyOwnAnchor(deps, own))) ?? (await verifyOnLedger(deps, params.txHash));
    return { status: 200, body: { success: true, data } };
  },
});

/** A proof that was answered a moment ago verifies at once: the second look is past the head. */
async function findRecord(deps: RouteDeps, hash: string): Promise<AnchorRecord | null> {
  const { db, store, signal } = deps;
  const record = await findAnchor(db, hash);
  if (record !== null) return record;
  const head = await store.head();
  try {
    await awaitPosition(db, 'anchors', head, { signal, timeoutMs: catchUpMs });
  } catch (error) {
    // The ledger itself can still tell.
    if (!(error instanceof ProjectionBehind)) throw error;
    return null;
  }
  return findAnchor(db, hash);
}
