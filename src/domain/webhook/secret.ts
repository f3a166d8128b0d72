/** How many random bytes a secret is made of; Standard Webhooks asks for 24 to 64. */
export const webhookSecretBytes = 32;

/** How long the secret before signs too after a rotation, unless the caller says otherwise. */
export const defaultOverlapSeconds = 86_400;
export const maxOverlapSeconds = 7 * 86_400;

/** The secret as its owner gets it: `whsec_` and base64. Its key is the bytes, without the prefix. */
export function formatWebhookSecret(random: Uint8Array): string {
  if (random.length !== webhookSecretBytes) {
    throw new Error(
      `a webhook secret is made of ${webhookSecretBytes} bytes, not ${random.length}`,
    );
  }
  return `whsec_${Buffer.from(random).toString('base64')}`;
}
