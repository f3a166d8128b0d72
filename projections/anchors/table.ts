import { sql, type Transaction } from 'kysely';
import type { Network } from '../../src/domain/network.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * `anchors` has a row per proof and grows without end, so it holds only the columns that find the
 * proof. Network and state are columns of `ledgers`.
 */
export type AnchorsTables = {
  anchors: {
    transaction_hash: Buffer;
    proof_id: string;
    organisation_id: string;
    ledger_id: string;
  };
  ledgers: {
    ledger_id: string;
    network: Network;
    standalone: boolean;
    gone: boolean;
  };
  anchoring_accounts: {
    ledger_id: string;
    address: string;
    retired: boolean;
  };
};

export const anchorsTables: readonly (keyof AnchorsTables)[] = [
  'anchors',
  'ledgers',
  'anchoring_accounts',
];

export async function createAnchorsTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('anchors'))} (
      transaction_hash bytea PRIMARY KEY,
      proof_id text NOT NULL,
      organisation_id text NOT NULL,
      ledger_id text NOT NULL
    )`.execute(trx);
  await sql`
    CREATE TABLE ${sql.table(named('ledgers'))} (
      ledger_id text PRIMARY KEY,
      network text NOT NULL,
      standalone boolean NOT NULL,
      gone boolean NOT NULL
    )`.execute(trx);
  await sql`
    CREATE TABLE ${sql.table(named('anchoring_accounts'))} (
      ledger_id text NOT NULL,
      address text NOT NULL,
      retired boolean NOT NULL,
      PRIMARY KEY (address, ledger_id)
    )`.execute(trx);
}
