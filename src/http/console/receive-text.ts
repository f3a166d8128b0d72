import { Refusal } from '../../domain/refusal.ts';
import { bodyIncomplete } from '../receiving/body.ts';
import { welcomeBody } from '../receiving/receive-body.ts';
import type { Context } from '../request-state.ts';

const defaultBytes = 65_536;

/**
 * Receives a small body of this media type as text. Refuses with UNSUPPORTED_MEDIA_TYPE, with
 * INVALID_REQUEST if the client leaves before the end, and with PAYLOAD_TOO_LARGE more than
 * `maxBytes`, by default 64 KiB.
 */
export async function receiveText(
  ctx: Context,
  type: string,
  maxBytes = defaultBytes,
): Promise<string> {
  if (!ctx.is(type)) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `the body must be ${type}`);
  }
  if (Number(ctx.req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  welcomeBody(ctx);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    // An error of the connection to the client must not pass for a lost database.
    throw error instanceof Refusal ? error : bodyIncomplete();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `the body must have at most ${maxBytes} bytes`);
}
