import type { CheckpointAnchored } from '../../src/domain/log/checkpoint-events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { Projection } from '../../src/subscriptions/projection.ts';
import {
  type CheckpointAnchorsTables,
  checkpointAnchorsTables,
  createCheckpointAnchorsTables,
} from './table.ts';

type AnchoredEvent = StoredEvent<CheckpointAnchored>;

/** Finds the place of a checkpoint on the ledger. No field it reads is confidential. */
export const checkpointAnchors: Projection = {
  name: 'checkpoint-anchors',
  version: 1,
  types: ['CheckpointAnchored'] satisfies AnchoredEvent['type'][],
  tables: checkpointAnchorsTables,
  fields: {
    CheckpointAnchored: [
      ...(['origin', 'size', 'rootHash', 'ledgerId', 'transactionHash'] as const),
      ...(['ledgerIndex', 'closeTimeIso'] as const),
    ],
  },
  create: createCheckpointAnchorsTables,
  async project(trx, events, named) {
    const rows = (events as readonly AnchoredEvent[]).map(({ position, data }) => ({
      origin: data.origin,
      size: data.size,
      root_hash: Buffer.from(data.rootHash, 'hex'),
      position,
      ledger_id: data.ledgerId,
      transaction_hash: Buffer.from(data.transactionHash, 'hex'),
      ledger_index: data.ledgerIndex,
      closed_at: data.closeTimeIso,
    }));
    if (rows.length === 0) return;
    await trx
      .$extendTables<CheckpointAnchorsTables>()
      .insertInto(named('checkpoint_anchors'))
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
};
