import { signatureCommand } from '../../webhooks/webhook-signature.ts';

/** The check of a delivery's signature in three languages. */
export const receivingSamples = {
  curl: `# WEBHOOK_ID, WEBHOOK_TIMESTAMP: the headers; BODY: the body as received;
# SECRET: the secret of the endpoint. The result must be in webhook-signature, after "v1,".
${signatureCommand}`,
  typescript: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** \`headers\` have lower-case names, as in node:http. \`body\` is the body as received. */
export function isGenuine(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  secret: string,
): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.slice('v1,'.length), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  python: `import base64
import hashlib
import hmac
import time


def is_genuine(headers, body, secret):
    """headers have lower-case names; body is the body as received, in bytes."""
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    key = base64.b64decode(secret[len("whsec_"):])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(
        hmac.compare_digest(b"v1," + expected, signature.encode())
        for signature in headers["webhook-signature"].split(" ")
    )`,
};
