import { isAnchoringAccount } from '../../../projections/anchors/query.ts';
import { closeTimeIso } from '../../domain/ledger/close-time.ts';
import { readCheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { readProofMemo } from '../../domain/proof/memo.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import type { ReadModels } from '../../subscriptions/projection.ts';
import { explorerUrl, verifyPageUrl } from '../../views/explorer-url.ts';
import { type LedgerAnswer, type LookUpDeps, lookUpTransaction } from './ledger-look-up.ts';
import type { OwnAccount } from './own-account.ts';
import { type Reason, type Verification, verdict } from './verification.ts';

/** Dependencies of asking the configured networks. */
export interface LedgerVerifyDeps extends LookUpDeps, OwnAccountDeps {
  readonly gateways: readonly LedgerGateway[];
  readonly publicUrl: () => string;
}

/** Dependencies of recognising a ledger account of this service. */
interface OwnAccountDeps {
  readonly db: ReadModels;
  /** Configured anchoring accounts, used or not. */
  readonly ownAccounts: readonly OwnAccount[];
}

const lookUpMs = 10_000;

type Validated = Extract<LedgerAnswer, { found: 'validated' }>;

/**
 * Verifies a transaction that is not on record by asking every configured network. The first
 * network with the validated transaction decides. Refuses with TRANSACTION_NOT_FOUND if no network
 * has it. Refuses with XRPL_ERROR if no network has it and one did not answer.
 */
export async function verifyOnLedger(deps: LedgerVerifyDeps, hash: string): Promise<Verification> {
  const answers = deps.gateways.map(async (gateway) => {
    const answer = await lookUpTransaction(deps, gateway, hash, { timeoutMs: lookUpMs });
    if (answer.found === 'validated') return { gateway, answer };
    throw new NotValidated(answer.found);
  });
  try {
    const { gateway, answer } = await Promise.any(answers);
    return await judge(deps, gateway, answer, hash);
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    if (error.errors.some((each) => !(each instanceof NotValidated))) throw error.errors[0];
    if (error.errors.some(({ found }: NotValidated) => found === 'unanswered')) {
      throw new Refusal('XRPL_ERROR', 'a ledger network did not answer; try again shortly');
    }
    throw new Refusal(
      'TRANSACTION_NOT_FOUND',
      'no supported ledger has validated this transaction',
    );
  }
}

class NotValidated extends Error {
  readonly found: LedgerAnswer['found'];

  constructor(found: LedgerAnswer['found']) {
    super(found);
    this.found = found;
  }
}

async function judge(
  deps: LedgerVerifyDeps,
  gateway: LedgerGateway,
  answer: Validated,
  hash: string,
): Promise<Verification> {
  const { network } = gateway;
  const status = gateway.current();
  const standalone = status.connected && status.standalone;
  const { memo, wellFormed } = readProofMemo(answer.memos);
  const own = await isOwn(deps, gateway, answer.account);
  return {
    transactionHash: hash,
    txHash: hash,
    network: standalone ? 'standalone' : network,
    ...verdict(reasonAgainst(answer, wellFormed, own)),
    explorerUrl: explorerUrl({ network, standalone, hash, publicUrl: deps.publicUrl() }),
    verifyPageUrl: verifyPageUrl({ hash, publicUrl: deps.publicUrl() }),
    ledgerIndex: answer.ledgerIndex,
    ledgerCloseTime: closeTimeIso(answer.closeTime),
    memo,
    account: answer.account,
    standalone,
  };
}

async function isOwn(
  deps: OwnAccountDeps,
  gateway: LedgerGateway,
  address: string,
): Promise<boolean> {
  const { network } = gateway;
  const isConfigured = deps.ownAccounts.some(
    (own) => own.network === network && own.address === address,
  );
  return isConfigured || isAnchoringAccount(deps.db, network, address);
}

function reasonAgainst(answer: Validated, wellFormed: boolean, own: boolean): Reason | null {
  if (answer.result !== 'tesSUCCESS') {
    const reason = `the transaction failed with ${answer.result}`;
    return { reasonCode: 'TRANSACTION_FAILED', reason };
  }
  if (readCheckpointMemo(answer.memos) !== null) {
    const reason = 'the transaction anchors a checkpoint of a log, not a proof';
    return { reasonCode: 'MALFORMED_MEMO', reason };
  }
  if (!own) {
    const reason = 'the transaction was sent by an account that this service does not anchor from';
    return { reasonCode: 'FOREIGN_ACCOUNT', reason };
  }
  const reason = 'the transaction contains no well-formed proof memo';
  return wellFormed ? null : { reasonCode: 'MALFORMED_MEMO', reason };
}
