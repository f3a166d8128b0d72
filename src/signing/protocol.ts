import { z } from 'zod';

/** Paths of the signing process's HTTP server, on its socket. */
export const accountsPath = '/accounts';
export const signPath = '/sign';

/** Maximum number of messages of one request. */
export const maxMessages = 500;
/** Maximum size of a message: an anchoring transaction has less than 600 bytes. */
const maxMessageBytes = 2_048;
/** Maximum size of a request. */
export const maxRequestBytes = maxMessages * (2 * maxMessageBytes + 3) + 1_000;

const hex = z.string().regex(/^([0-9A-F]{2})+$/);

export const signRequest = z.strictObject({
  account: z.string().max(50),
  /** Each as upper-case hex. */
  messages: z.array(hex.max(2 * maxMessageBytes)).max(maxMessages),
});

export const signAnswer = z.object({ signatures: z.array(hex.max(200)) });

export const accountsAnswer = z.object({
  accounts: z.array(z.object({ address: z.string(), publicKey: hex.max(66) })),
});

/** Says what is wrong, for the log of the process that asked. */
export const refusal = z.object({ error: z.string() });
