import { giveUpProof } from '../../src/commands/give-up-proof.ts';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { LedgerUnavailable } from '../../src/ledger/ledger-unavailable.ts';
import {
  check,
  requireAgreement,
  requireRestored,
} from '../../src/transparency-log/guard/check.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import type { OperatorNetwork } from './ledger-gateways.ts';

/**
 * Gives up a queued proof, after checking that the proof cannot be on the ledger without a record.
 * A restored backup may have lost the record, and a proof given up then could not be recovered.
 * Rejects with `LogUnconfirmed` if the database is a copy, or its restore is unfinished. Rejects
 * with advice if the ledger of the proof cannot be asked.
 */
export async function giveUpQueued(
  session: Pick<OperatorSession, 'store' | 'db' | 'leaves' | 'published' | 'meta'>,
  networks: readonly OperatorNetwork[],
  proofId: ProofId,
): Promise<void> {
  const { store } = session;
  requireAgreement(await check('publishing', { ...session, history: session.db }));
  await requireRestored(store);
  const { state } = await load(store, streams.proof(proofId), proofDecider);
  if (state.status !== 'unknown') {
    const { network } = state.request;
    const own = networks.find(({ gateway }) => gateway.network === network);
    if (own === undefined) {
      throw new OperatorError(
        `proof ${proofId} is not given up, since no server of ${network} is configured to show ` +
          `that the proof is not on the ledger: set XRPL_${network.toUpperCase()}_URL, and run the ` +
          'command again',
      );
    }
    await requireAllKnown(session, own, proofId);
  }
  await giveUpProof(store, proofId, session.meta);
}

/** Requires that the log knows all transactions of our accounts on the network. */
async function requireAllKnown(
  { store, db }: Pick<OperatorSession, 'store' | 'db'>,
  { gateway, keys, checkpointKey }: OperatorNetwork,
  proofId: ProofId,
): Promise<void> {
  const own = checkpointKey === null ? keys : [...keys, checkpointKey];
  const addresses = own.map(({ address }) => address);
  try {
    requireAgreement(await check('sending', { store, db, gateway, addresses }));
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    throw new OperatorError(
      `proof ${proofId} is not given up, since the servers of ${gateway.network} cannot show that ` +
        `the proof is not on the ledger (${error.message}): wait until a server answers, or correct ` +
        'the list of servers, and run the command again',
    );
  }
}
