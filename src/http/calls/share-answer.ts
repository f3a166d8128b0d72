import type { ServerResponse } from 'node:http';
import type { KeyAccess } from '../../../projections/access/query.ts';
import type { Reply } from '../reply.ts';
import type { Context } from '../request-state.ts';
import { type HttpShares, smallBytes } from '../shares/create-shares.ts';
import type { Shares } from '../shares/shares.ts';

type Caller = Pick<KeyAccess, 'organisationId'>;

/**
 * Waits for a share of the memory for a large answer, which stays in memory until the client has
 * received it. Rejects as `Shares.take` does.
 */
export async function shareAnswer(
  { res }: Context,
  { body }: Reply,
  { shares }: { readonly shares: Pick<HttpShares, 'answers'> },
  caller: Caller,
): Promise<void> {
  if (!(body instanceof Uint8Array) || body.length <= smallBytes) return;
  await takeUntilSent(shares.answers, body.length, res, caller);
}

/** Waits until the organisation may start another download. Rejects as `Shares.take` does. */
export async function shareDownload(
  { res }: Context,
  { shares }: { readonly shares: Pick<HttpShares, 'downloads'> },
  caller: Caller,
): Promise<void> {
  await takeUntilSent(shares.downloads, 1, res, caller);
}

/** Takes a share until the answer is sent or its connection is closed. */
async function takeUntilSent(
  shares: Shares,
  amount: number,
  res: ServerResponse,
  { organisationId }: Caller,
): Promise<void> {
  // `bytesWritten` counts earlier answers on the connection too.
  const sent = () => (res.socket?.bytesWritten ?? 0) - (res.socket?.writableLength ?? 0);
  const sentBefore = sent();
  const giveBack = await shares.take(organisationId, amount, {
    progress: () => (res.headersSent ? sent() - sentBefore : null),
    giveUp: () => res.destroy(),
  });
  if (res.closed || res.destroyed) giveBack();
  else res.once('close', giveBack);
}
