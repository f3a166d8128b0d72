/** Number of random bytes in a secret; Standard Webhooks asks for 24 to 64. */
export const webhookSecretBytes = 32;

/** Default time for which the previous secret also signs after a rotation. */
export const defaultOverlapSeconds = 86_400;
export const maxOverlapSeconds = 7 * 86_400;

/**
 * The secret as its owner receives it: `whsec_` and base64. The signing key is the bytes, without
 * the prefix.
 */
export function formatWebhookSecret(random: Uint8Array): string {
  if (random.length !== webhookSecretBytes) {
    throw new Error(
      `a webhook secret is made of ${webhookSecretBytes} bytes, not ${random.length}`,
    );
  }
  return `whsec_${Buffer.from(random).toString('base64')}`;
}
