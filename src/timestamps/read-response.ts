import * as asn1js from 'asn1js';
import { PKIStatus, TimeStampResp } from 'pkijs';
import { BadToken } from './bad-token.ts';
import { bufferOf } from './encode-request.ts';

/** The authority has answered that it does not issue a token. */
export class TimestampRefused extends Error {
  constructor(reason: string) {
    super(`the authority issued no token: ${reason}`);
    this.name = 'TimestampRefused';
  }
}

/**
 * Takes the token out of the authority's answer (RFC 3161, 2.4.2), in the bytes as sent. Throws
 * `TimestampRefused`, or `BadToken` if it is no such answer.
 */
export function readResponse(response: Uint8Array): Buffer {
  const { status, token } = parse(response);
  const code: number = status.status;
  if (code !== PKIStatus.granted && code !== PKIStatus.grantedWithMods) {
    const texts = (status.statusStrings ?? []).map((text) => text.valueBlock.value.slice(0, 200));
    throw new TimestampRefused([`status ${code}`, ...texts.slice(0, 4)].join(', '));
  }
  if (token === undefined) throw new BadToken('the answer has no token');
  return Buffer.from(token);
}

function parse(response: Uint8Array) {
  try {
    const { result, offset } = asn1js.fromBER(bufferOf(response));
    if (offset !== response.length) throw new Error('bytes follow the answer');
    const parts = (result as asn1js.Sequence).valueBlock.value;
    const { status } = new TimeStampResp({ schema: result });
    return { status, token: parts[1]?.valueBeforeDecodeView };
  } catch (cause) {
    throw new BadToken('the answer is no time-stamp response', { cause });
  }
}
