import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { serveParent } from '../harness/helper-process.ts';
import { createLatencies, type LatencySummary } from '../harness/latencies.ts';
import type { Account } from '../harness/tenant.ts';

/** Concurrent uploads, each with its own file. */
export interface UploadOrder {
  readonly account: Account;
  /** File to send; the number of each upload replaces its first bytes. */
  readonly path: string;
  readonly count: number;
  readonly first: number;
  /** True: the answer comes when the file is stored, not when its proof is anchored. */
  readonly async: boolean;
}

export interface UploadSummary {
  readonly ms: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly latencyMs: LatencySummary;
  /** First few answers to failed uploads. */
  readonly failures: readonly string[];
  readonly documentIds: readonly string[];
}

const orders = { upload };
export type UploadingOrders = typeof orders;

const mostFailures = 5;
const blockBytes = 262_144;
const boundary = 'proofmark-bench';

async function upload(order: UploadOrder): Promise<UploadSummary> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const latencies = createLatencies();
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: order.count }, async (_, index) => {
      const begunAt = performance.now();
      const answer = await uploadOne(agent, order, order.first + index).catch((error: Error) => ({
        status: 0,
        text: error.message,
      }));
      latencies.record(performance.now() - begunAt);
      return answer;
    }),
  );
  const ms = performance.now() - startedAt;
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const wanted = order.async ? 202 : 201;
  return {
    ms,
    statuses,
    latencyMs: latencies.summary(),
    failures: answers
      .filter(({ status }) => status !== wanted)
      .slice(0, mostFailures)
      .map(({ status, text }) => `${status} ${text}`),
    documentIds: answers
      .filter(({ status }) => status === wanted)
      .map(({ text }) => (JSON.parse(text) as { data: { documentId: string } }).data.documentId),
  };
}

async function uploadOne(
  agent: Agent,
  { account, path, async }: UploadOrder,
  number: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="workspace"\r\n\r\n${account.workspace}\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${number}.bin"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    );
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const outgoing = request(`${account.address}/api/v1/documents`, {
      agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.key}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + size + tail.length,
        ...(async && { prefer: 'respond-async' }),
      },
    });
    const answered = read(outgoing);
    // An error before the answer rejects `answered`. A later error is ignored.
    answered.catch(() => {});
    outgoing.on('error', () => {});
    outgoing.write(head);
    const block = Buffer.alloc(blockBytes);
    for (let sent = 0; sent < size; ) {
      const { bytesRead } = await file.read(block, 0, blockBytes, sent);
      if (sent === 0) block.writeUInt32BE(number, 0);
      sent += bytesRead;
      // Copy the block, since it is refilled while this copy is being sent.
      if (!outgoing.write(Buffer.from(block.subarray(0, bytesRead)))) {
        await Promise.race([once(outgoing, 'drain'), answered]);
      }
    }
    outgoing.end(tail);
    return await answered;
  } finally {
    await file.close();
  }
}

async function read(outgoing: ClientRequest) {
  const [response]: [IncomingMessage] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}

serveParent(orders);
