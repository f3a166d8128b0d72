import { delivery, secret, webhook } from './webhook-examples.ts';

/** The headers of a delivery, with their meaning. */
export const webhookHeaders = [
  {
    name: 'webhook-id',
    description: 'The id of the delivery, the same at every attempt: ignore an id that you know.',
  },
  {
    name: 'webhook-timestamp',
    description:
      'The time of this attempt in seconds since 1970: ignore an attempt of more than 5 minutes ago.',
  },
  {
    name: 'webhook-signature',
    description: 'For each valid secret `v1,` and the signature in base64, separated by spaces.',
  },
] as const;

/** How to check a signature, in words. */
export const signatureRule =
  'The signature is the HMAC-SHA-256 of webhook-id, webhook-timestamp and the body as received, ' +
  'joined by dots. The key is the base64 after whsec_ in the secret of the endpoint, decoded. One ' +
  'signature in webhook-signature must be the same in base64. Compare in constant time, and check ' +
  'the signature before you parse the body.';

/** The check as commands for sh with openssl. */
export const signatureCommand =
  'printf "%s.%s.%s" "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$BODY" | openssl dgst -sha256 -mac HMAC ' +
  '-macopt "hexkey:$(printf %s "$SECRET" | cut -c 7- | openssl base64 -d -A | od -An -v -tx1 | ' +
  'tr -d " \\n")" -binary | openssl base64 -A';

/** A signed delivery with its secret, to test a receiver with. */
export const signedExample = {
  secret,
  headers: {
    'webhook-id': delivery.id,
    'webhook-timestamp': '1795223192',
    'webhook-signature': 'v1,f4K1yosnqQRJufy6EtFDZVPWNWuP49j1lt77laAMClU=',
  },
  body: JSON.stringify({
    type: 'webhook.test',
    timestamp: delivery.createdAt,
    data: { id: webhook.id },
  }),
};
