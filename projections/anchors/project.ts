import { sql, type Transaction } from 'kysely';
import type { AccountRetired, SequencesTaken } from '../../src/domain/account/events.ts';
import type { LedgerEvent } from '../../src/domain/ledger/events.ts';
import type { Anchored } from '../../src/domain/proof/events.ts';
import { proofOfStream } from '../../src/domain/streams.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { Named, Projection } from '../../src/subscriptions/projection.ts';
import { type AnchorsTables, anchorsTables, createAnchorsTables } from './table.ts';

type AnchorsEvent = StoredEvent<Anchored | SequencesTaken | AccountRetired | LedgerEvent>;

/**
 * Data for public verification: the proof that a transaction anchored, and the accounts of this
 * service. Every AnchorPrepared comes with a SequencesTaken of its account, so SequencesTaken
 * events name every account. No field it reads is confidential.
 */
export const anchors: Projection = {
  name: 'anchors',
  version: 1,
  types: [
    'Anchored',
    'SequencesTaken',
    'AccountRetired',
    'LedgerJoined',
    'LedgerGone',
  ] satisfies AnchorsEvent['type'][],
  tables: anchorsTables,
  fields: { Anchored: ['transactionHash', 'ledgerId'] },
  create: createAnchorsTables,
  async project(trx, events, named) {
    const own = events as readonly AnchorsEvent[];
    const tables = trx.$extendTables<AnchorsTables>();
    await insertAnchors(tables, own, named);
    await insertAccounts(tables, own, named);
    for (const event of own) await foldRare(tables, event, named);
  },
};

async function insertAnchors(
  trx: Transaction<AnchorsTables>,
  events: readonly AnchorsEvent[],
  named: Named,
): Promise<void> {
  const anchored = events.filter((event) => event.type === 'Anchored');
  if (anchored.length === 0) return;
  const hashes = anchored.map(({ data }) => Buffer.from(data.transactionHash, 'hex'));
  const proofIds = anchored.map(({ stream }) => proofOfStream(stream));
  const organisationIds = anchored.map(({ organisationId }) => organisationId);
  const ledgerIds = anchored.map(({ data }) => data.ledgerId);
  await sql`
    INSERT INTO ${sql.table(named('anchors'))}
      (transaction_hash, proof_id, organisation_id, ledger_id)
    SELECT * FROM unnest(${hashes}::bytea[], ${proofIds}::text[], ${organisationIds}::text[],
                         ${ledgerIds}::text[])`.execute(trx);
}

async function insertAccounts(
  trx: Transaction<AnchorsTables>,
  events: readonly AnchorsEvent[],
  named: Named,
): Promise<void> {
  // Skip the account of checkpoints, from which no proof is anchored.
  const used = events
    .filter((event) => event.type === 'SequencesTaken')
    .filter(({ data }) => !data.taken.some((one) => 'checkpointSize' in one));
  const accounts = new Map(
    used.map(({ data: { ledgerId, account } }) => [
      `${ledgerId} ${account}`,
      { ledger_id: ledgerId, address: account, retired: false },
    ]),
  );
  if (accounts.size === 0) return;
  await trx
    .insertInto(named('anchoring_accounts'))
    .values([...accounts.values()])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function foldRare(
  trx: Transaction<AnchorsTables>,
  event: AnchorsEvent,
  named: Named,
): Promise<void> {
  switch (event.type) {
    case 'LedgerJoined': {
      const { ledgerId, network, standalone } = event.data;
      await trx
        .insertInto(named('ledgers'))
        .values({ ledger_id: ledgerId, network, standalone, gone: false })
        .execute();
      return;
    }
    case 'LedgerGone':
      await trx
        .updateTable(named('ledgers'))
        .set({ gone: true })
        .where('ledger_id', '=', event.data.ledgerId)
        .execute();
      return;
    case 'AccountRetired':
      await trx
        .updateTable(named('anchoring_accounts'))
        .set({ retired: true })
        .where('ledger_id', '=', event.data.ledgerId)
        .where('address', '=', event.data.account)
        .execute();
      return;
    default:
  }
}
