import type { ProofOrder } from '../../commands/request-proof.ts';
import { Refusal } from '../../domain/refusal.ts';
import { Unavailable } from '../../errors/unavailable.ts';
import type { Reply } from '../reply.ts';

/** Hashes that are requested together: one read of their streams, and one transaction. */
const requestedTogether = 250;

/**
 * Proves each hash of a batch as if it had been posted alone, and returns the replies in the order
 * of the hashes. `begin` requests one proof, and resolves with the wait for its answer. Requests
 * some hundred proofs at once, and the rest as soon as those are recorded; the waits run side by
 * side. Of equal hashes the first is requested before the others. Once the store is unavailable,
 * the hashes that were not requested yet get the same reply.
 */
export async function proveEach(
  orders: readonly (ProofOrder | Refusal)[],
  begin: (order: ProofOrder) => Promise<() => Promise<Reply>>,
  replyTo: (error: unknown) => Reply,
): Promise<readonly Reply[]> {
  const replies: (Reply | Promise<Reply>)[] = [];
  let unavailable: Unavailable | null = null;
  for (const round of roundsOf(orders)) {
    const begun = round.map(async (index) => {
      const order = orders[index];
      if (unavailable !== null) replies[index] = replyTo(unavailable);
      else if (order === undefined || order instanceof Refusal) replies[index] = replyTo(order);
      else {
        try {
          const answer = await begin(order);
          replies[index] = answer().catch(replyTo);
        } catch (error) {
          if (error instanceof Unavailable) unavailable = error;
          replies[index] = replyTo(error);
        }
      }
    });
    await Promise.all(begun);
  }
  return Promise.all(replies);
}

/** Indexes of the orders, by rounds: first the hashes that differ, then the repeated ones. */
function roundsOf(orders: readonly (ProofOrder | Refusal)[]): number[][] {
  const seen = new Set<string>();
  const first: number[] = [];
  const repeated: number[] = [];
  for (const [index, order] of orders.entries()) {
    const isRepeated = !(order instanceof Refusal) && seen.has(order.fileHash);
    if (!(order instanceof Refusal)) seen.add(order.fileHash);
    (isRepeated ? repeated : first).push(index);
  }
  return [...slicesOf(first), ...slicesOf(repeated)];
}

function slicesOf(indexes: readonly number[]): number[][] {
  const count = Math.ceil(indexes.length / requestedTogether);
  return Array.from({ length: count }, (_, slice) =>
    indexes.slice(slice * requestedTogether, (slice + 1) * requestedTogether),
  );
}
