import { once } from 'node:events';
import { request } from 'node:http';
import { Client } from 'xrpl';
import type { Answer, Caller, ProofData } from './api-client.ts';
import { documentForm } from './forms.ts';

/** A document as the API documents it. */
export interface DocumentData extends ProofData {
  readonly documentId: string;
  readonly fileName: string;
  readonly fileSize: number;
  readonly revision: number;
  readonly previousTxHash: string | null;
}

export async function uploadDocument(
  caller: Caller,
  file: { readonly name: string; readonly bytes: Uint8Array | string },
  fields: Readonly<Record<string, string>> = { workspace: caller.workspace },
  path = '/documents',
): Promise<Answer<DocumentData>> {
  const body = documentForm(fields, file);
  return readAnswer(await fetch(urlOf(caller, path), { ...asked(caller), method: 'POST', body }));
}

export function reviseDocument(
  caller: Caller,
  documentId: string,
  file: { readonly name: string; readonly bytes: Uint8Array | string },
): Promise<Answer<DocumentData>> {
  return uploadDocument(caller, file, {}, `/documents/${documentId}/version`);
}

export async function getJson<Data>(caller: Caller, path: string): Promise<Answer<Data>> {
  return readAnswer(await fetch(urlOf(caller, path), asked(caller)));
}

/** Response with the bytes of a stored file. */
export function fetchFile(caller: Caller, documentId: string): Promise<Response> {
  return fetch(urlOf(caller, `/documents/${documentId}/file`), asked(caller));
}

/** Sends a file generated while it is sent; `pause` is called before each MiB, and may wait. */
export async function streamDocument(
  caller: Caller,
  file: { readonly name: string; readonly sizeBytes: number; readonly first: Uint8Array },
  pause: (sentBytes: number) => Promise<unknown> | undefined = () => undefined,
): Promise<Answer<DocumentData>> {
  const outgoing = request(urlOf(caller, '/documents'), {
    ...asked(caller),
    method: 'POST',
    agent: false,
  });
  const answered = once(outgoing, 'response');
  // Errors after the answer do not matter; `answered` rejects on those before it.
  outgoing.on('error', () => {});
  const boundary = 'proofmark-stream';
  outgoing.setHeader('content-type', `multipart/form-data; boundary=${boundary}`);
  outgoing.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="workspace"\r\n\r\n${caller.workspace}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n\r\n`,
  );
  const block = Buffer.alloc(1_048_576, file.first);
  answered.catch(() => {});
  for (let sent = 0; sent < file.sizeBytes; sent += block.length) {
    await pause(sent);
    const part = block.subarray(0, Math.min(block.length, file.sizeBytes - sent));
    if (!outgoing.write(part)) await Promise.race([once(outgoing, 'drain'), answered]);
  }
  outgoing.end(`\r\n--${boundary}--\r\n`);
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

/** Follows the memos from a transaction back to the first revision, on the ledger alone. */
export async function walkLedger(
  url: string,
  txHash: string | null,
): Promise<{ readonly txHash: string; readonly fileHash: string }[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const found: { txHash: string; fileHash: string }[] = [];
    for (let next = txHash; next; ) {
      const { result } = await client.request({ command: 'tx', transaction: next });
      const data = result.tx_json.Memos?.[0]?.Memo.MemoData ?? '';
      const memo = JSON.parse(Buffer.from(data, 'hex').toString('utf8'));
      found.push({ txHash: next, fileHash: memo.fileHash });
      next = memo.previous;
    }
    return found;
  } finally {
    await client.disconnect();
  }
}

const urlOf = ({ address }: Caller, path: string) => `${address}/api/v1${path}`;
const asked = ({ key }: Caller) => ({ headers: { authorization: `Bearer ${key}` } });

async function readAnswer<Data>(response: Response): Promise<Answer<Data>> {
  return { status: response.status, body: (await response.json()) as Answer<Data>['body'] };
}
