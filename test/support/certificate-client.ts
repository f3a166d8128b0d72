import type { Caller } from './api-client.ts';
import { type Download, download } from './download.ts';

/** Fetches the certificate of a proof; `code` says why there is none. */
export function fetchCertificate({ address, key }: Caller, proofId: string): Promise<Download> {
  return download(`${address}/api/v1/certificates/${proofId}`, key);
}

export function fetchBundle({ address, key }: Caller, proofId: string): Promise<Download> {
  return download(`${address}/api/v1/proofs/${proofId}/bundle`, key);
}
