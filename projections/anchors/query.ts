import { sql } from 'kysely';
import type { Network } from '../../src/domain/network.ts';
import type { OrganisationId, ProofId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { AnchorsTables } from './table.ts';

/** The proof that a validated transaction anchored, and its ledger. */
export interface AnchorRecord {
  readonly proofId: ProofId;
  readonly organisationId: OrganisationId;
  readonly ledgerId: string;
  readonly network: Network;
  /** True if the ledger is the development ledger of this project. */
  readonly standalone: boolean;
  /** True if the ledger was reset since: it no longer has the transaction. */
  readonly ledgerGone: boolean;
}

/**
 * Finds the proof by the hash of its transaction (64 hex characters, either case); null if there is
 * none.
 */
export async function findAnchor(
  db: ReadModels,
  transactionHash: string,
): Promise<AnchorRecord | null> {
  const row = await db
    .$extendTables<AnchorsTables>()
    .selectFrom('anchors as a')
    .innerJoin('ledgers as l', 'l.ledger_id', 'a.ledger_id')
    .where('a.transaction_hash', '=', Buffer.from(transactionHash, 'hex'))
    .select([
      'a.proof_id',
      'a.organisation_id',
      'a.ledger_id',
      'l.network',
      'l.standalone',
      'l.gone',
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    proofId: row.proof_id as ProofId,
    organisationId: row.organisation_id as OrganisationId,
    ledgerId: row.ledger_id,
    network: row.network,
    standalone: row.standalone,
    ledgerGone: row.gone,
  };
}

/** True if this service anchors, or ever anchored, from the account on that network. */
export async function isAnchoringAccount(
  db: ReadModels,
  network: Network,
  address: string,
): Promise<boolean> {
  const row = await accounts(db)
    .where('a.address', '=', address)
    .where('l.network', '=', network)
    .select(sql<number>`1`.as('found'))
    .executeTakeFirst();
  return row !== undefined;
}

/** True if every ledger of the network that still exists is a development ledger. */
export async function isStandaloneNetwork(db: ReadModels, network: Network): Promise<boolean> {
  const row = await db
    .$extendTables<AnchorsTables>()
    .selectFrom('ledgers')
    .where('network', '=', network)
    .where('gone', '=', false)
    .select(sql<boolean | null>`bool_and(standalone)`.as('standalone'))
    .executeTakeFirst();
  return row?.standalone ?? false;
}

interface AnchoringAccount {
  readonly network: Network;
  /** True if the ledger is the development ledger of this project. */
  readonly standalone: boolean;
  readonly address: string;
  /** True if the account anchors no more. Its anchors still verify. */
  readonly retired: boolean;
}

/** Every account that this service anchors or ever anchored from, once per kind of network. */
export async function listAnchoringAccounts(db: ReadModels): Promise<readonly AnchoringAccount[]> {
  return accounts(db)
    .groupBy(['l.network', 'l.standalone', 'a.address'])
    .orderBy('l.network')
    .orderBy('l.standalone')
    .orderBy('a.address')
    .select([
      'l.network',
      'l.standalone',
      'a.address',
      sql<boolean>`bool_and(a.retired)`.as('retired'),
    ])
    .execute();
}

function accounts(db: ReadModels) {
  return db
    .$extendTables<AnchorsTables>()
    .selectFrom('anchoring_accounts as a')
    .innerJoin('ledgers as l', 'l.ledger_id', 'a.ledger_id');
}
