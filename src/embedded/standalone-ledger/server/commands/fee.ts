import { baseLevel } from '../../chain/fee-metrics.ts';
import { baseFeeDrops } from '../../engine/fees.ts';
import type { Command } from '../command.ts';

const drops = (level: bigint): bigint => (level * baseFeeDrops) / baseLevel;

export const fee: Command = ({ node }) => {
  const { queue, open } = node;
  const { metrics } = queue;
  const required = queue.requiredLevel(open);
  const minimum = queue.minimumLevel();
  return {
    current_ledger_size: String(open.transactions.size + queue.pretended.open),
    current_queue_size: String(queue.size),
    drops: {
      base_fee: String(baseFeeDrops),
      median_fee: String(drops(metrics.medianLevel)),
      minimum_fee: String(drops(minimum)),
      open_ledger_fee: String(drops(required - 1n) + 1n),
    },
    expected_ledger_size: String(metrics.expectedLedgerSize),
    ledger_current_index: open.ledgerIndex,
    levels: {
      median_level: String(metrics.medianLevel),
      minimum_level: String(minimum),
      open_ledger_level: String(required),
      reference_level: String(baseLevel),
    },
    max_queue_size: String(metrics.maxQueueSize),
  };
};
