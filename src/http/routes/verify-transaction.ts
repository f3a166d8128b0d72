import { type AnchorRecord, findAnchor } from '../../../projections/anchors/query.ts';
import { awaitPosition, ProjectionBehind } from '../../subscriptions/await-position.ts';
import { completedProof, transactionHash } from '../examples/proof-examples.ts';
import { defineOpenRoute } from '../route.ts';
import type { RouteDeps } from '../route-deps.ts';
import { transactionHashInput } from '../transaction-hash.ts';
import { verificationResponse } from '../verification.ts';
import { verifyOnLedger } from '../verify-on-ledger.ts';
import { verifyOwnAnchor } from '../verify-own-anchor.ts';

const catchUpMs = 1_000;

export const verifyTransaction = defineOpenRoute({
  operationId: 'verifyTransaction',
  tag: 'Verification',
  method: 'GET',
  path: '/api/public/verify/:txHash',
  scope: null,
  summary: 'Verifies a ledger transaction; anybody may ask',
  description:
    '`verified` is true only of a proof of this service. What the memo says is untrusted data. ' +
    'A transaction that is found but is none of ours, or none at all of a proof, is 200 with ' +
    '`verified: false` and the reason.',
  params: transactionHashInput,
  responses: {
    200: {
      description: 'what the ledger says of it',
      schema: verificationResponse,
      example: {
        success: true,
        data: {
          transactionHash,
          network: completedProof.ledger,
          verified: true,
          explorerUrl: completedProof.verifyUrl,
          ledgerIndex: completedProof.ledgerIndex,
          ledgerCloseTime: completedProof.timestamp,
          memo: { fileHash: completedProof.proofCommitment, hashScheme: completedProof.hashScheme },
          account: 'rLUEXYuLiQptky37CqLcm9USQpPiz5rkpD',
          standalone: false,
        },
      },
    },
  },
  refusals: ['INVALID_TX_HASH', 'TRANSACTION_NOT_FOUND', 'XRPL_ERROR', 'SERVICE_UNAVAILABLE'],
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
