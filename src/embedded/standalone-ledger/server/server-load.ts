import { baseLevel } from '../chain/fee-metrics.ts';
import type { LedgerNode } from '../chain/ledger-node.ts';

/** Present fee requirements, in 1/256 of the base fee. */
interface Load {
  readonly factor: number;
  readonly server: number;
  readonly escalation: number;
  readonly queue: number;
}

export function loadOf(node: LedgerNode): Load {
  const server = Math.round(node.loadFactor * Number(baseLevel));
  const escalation = Number(node.queue.requiredLevel(node.open));
  const queue = Number(node.queue.minimumLevel());
  return { factor: Math.max(server, escalation), server, escalation, queue };
}
