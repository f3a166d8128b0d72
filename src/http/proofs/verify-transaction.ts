import { type AnchorRecord, findAnchor } from '../../../projections/anchors/query.ts';
import {
  awaitPosition,
  ProjectionBehind,
  type ReadDeps,
} from '../../subscriptions/await-position.ts';
import { defineOpenRoute } from '../route.ts';
import { completedProof, exampleTransactionHash } from './proof-examples.ts';
import { transactionHashInput } from './transaction-hash.ts';
import { verificationResponse } from './verification.ts';
import { type LedgerVerifyDeps, verifyOnLedger } from './verify-on-ledger.ts';
import { type VerifyDeps, verifyOwnAnchor } from './verify-own-anchor.ts';

const catchUpMs = 1_000;

export const verifyTransaction = defineOpenRoute({
  operationId: 'verifyTransaction',
  tag: 'Verification',
  method: 'GET',
  path: '/api/public/verify/:txHash',
  scope: null,
  summary: 'Verifies a ledger transaction; no key is needed',
  description:
    '`verified` is true only for a proof of this service. The memo is untrusted data. A transaction ' +
    'that is on the ledger but is not a proof of this service is answered with 200, ' +
    '`verified: false` and the reason.',
  params: transactionHashInput,
  responses: {
    200: {
      description: 'the transaction as the ledger holds it',
      schema: verificationResponse,
      example: {
        success: true,
        data: {
          transactionHash: exampleTransactionHash,
          txHash: exampleTransactionHash,
          network: completedProof.ledger,
          verified: true,
          explorerUrl: completedProof.verifyUrl,
          verifyPageUrl: completedProof.verifyPageUrl,
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
  handle: async ({ params }, deps: LedgerVerifyDeps & VerifyDeps & ReadDeps) => {
    const own = await findRecord(deps, params.txHash);
    const data =
      (own && (await verifyOwnAnchor(deps, own))) ?? (await verifyOnLedger(deps, params.txHash));
    return { status: 200, body: { success: true, data } };
  },
});

/**
 * Finds the record of a transaction. Looks again after the read model has reached the head of the
 * log, so that a new proof verifies immediately.
 */
async function findRecord(deps: ReadDeps, hash: string): Promise<AnchorRecord | null> {
  const { db, store, signal } = deps;
  const record = await findAnchor(db, hash);
  if (record !== null) return record;
  const head = await store.head();
  try {
    await awaitPosition(db, 'anchors', head, { signal, timeoutMs: catchUpMs });
  } catch (error) {
    // The ledger can still answer.
    if (!(error instanceof ProjectionBehind)) throw error;
    return null;
  }
  return findAnchor(db, hash);
}
