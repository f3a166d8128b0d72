import type { KeyAccess } from '../../../projections/access/query.ts';
import type { Context } from '../request-state.ts';
import type { BodyInput } from '../route-description.ts';
import type { HttpShares } from '../shares/create-shares.ts';
import { allowUploadPace } from './arrival.ts';
import { maxJsonBytes } from './body.ts';
import { type ReceivedJson, receiveJson } from './receive-json.ts';

/** Receives the body of a permitted call; rejects as `receiveJson` does. */
export function receiveBody(
  { maxBytes }: BodyInput<unknown>,
  { shares }: { readonly shares: HttpShares },
  ctx: Context,
  { organisationId }: Pick<KeyAccess, 'organisationId'>,
): Promise<ReceivedJson> {
  const begin = () => {
    welcomeBody(ctx);
    if (maxBytes !== undefined) allowUploadPace(ctx.req);
  };
  const options = { organisationId, maxBytes: maxBytes ?? maxJsonBytes, shares, begin };
  return receiveJson(ctx.req, options);
}

/** Sends "100 Continue" to a client that waits for it (RFC 9110, 10.1.1). */
export function welcomeBody({ req, res }: Context): void {
  if (/^100-continue$/i.test(req.headers.expect ?? '')) res.writeContinue();
}
