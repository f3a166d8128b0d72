import {
  type ClientAnswer,
  type ClientRequest,
  comparedFields,
  type ListRequest,
  type RecordedCall,
  type ShownProof,
} from './recorded-call.ts';

/** A request with everything that is sent. */
export type SentRequest =
  | Exclude<ClientRequest, { kind: 'post' }>
  | (Extract<ClientRequest, { kind: 'post' }> & {
      readonly fileName: string;
      readonly isAsync: boolean;
      readonly isPlain: boolean;
    });

/** A client of one organisation, and the service that it calls. */
export interface Caller {
  readonly session: string;
  readonly organisationId: string;
  readonly key: string;
  readonly address: string;
}

/** Makes a call, and records what the client sent and saw. */
export async function recordCall(caller: Caller, request: SentRequest): Promise<UnnumberedCall> {
  const { session, organisationId, key, address } = caller;
  const invokedAt = Date.now();
  const answer = await send(address, key, request);
  const times = { invokedAt, answeredAt: Date.now() };
  return { session, organisationId, ...times, request: comparable(request), answer };
}

export type UnnumberedCall = Omit<RecordedCall, 'id'>;

/** The request without members that the checker has no use for. */
function comparable(request: SentRequest): ClientRequest {
  if (request.kind !== 'post') return request;
  const { kind, workspace, hash } = request;
  return { kind, workspace, hash };
}

const answerWithinMs = 20_000;

/** Sends the request to the service at this address, and reads what the checker compares. */
async function send(address: string, key: string, request: SentRequest): Promise<ClientAnswer> {
  const received = await receive(...fetchedOf(address, key, request));
  // Outside of the call: a mistake in reading must not count as an answer that says nothing.
  return received === null ? { kind: 'nothing' } : readAnswer(received);
}

interface Received {
  readonly status: number;
  readonly text: string;
}

/** Null if no whole answer came. */
async function receive(url: string, init: RequestInit): Promise<Received | null> {
  try {
    const answer = await fetch(url, init);
    return { status: answer.status, text: await answer.text() };
  } catch {
    return null;
  }
}

function fetchedOf(
  address: string,
  key: string,
  request: SentRequest,
): [url: string, init: RequestInit] {
  const signal = AbortSignal.timeout(answerWithinMs);
  const headers = { Authorization: `Bearer ${key}` };
  if (request.kind !== 'post') return [`${address}/api/v1${pathOf(request)}`, { headers, signal }];
  const { hash, workspace, fileName, isAsync, isPlain } = request;
  const posted = {
    ...headers,
    'Content-Type': 'application/json',
    ...(isAsync && { Prefer: 'respond-async' }),
  };
  const scheme = isPlain && { hashScheme: 'sha256-plain-v1' };
  const body = JSON.stringify({ hash, workspace, fileName, ...scheme });
  return [`${address}/api/v1/proofs`, { method: 'POST', signal, headers: posted, body }];
}

function pathOf(request: Exclude<SentRequest, { kind: 'post' }>): string {
  if (request.kind === 'get') return `/proofs/${request.proofId}`;
  return `/documents?${queryOf(request)}`;
}

function queryOf({ page, limit, workspace, status, search }: ListRequest): URLSearchParams {
  return new URLSearchParams({
    page: String(page),
    limit: String(limit),
    ...(workspace !== null && { workspace }),
    ...(status !== null && { blockchainStatus: status }),
    ...(search !== null && { search }),
  });
}

interface Body {
  readonly code?: string | null;
  readonly proofId?: string;
  readonly data?: ShownProof | readonly ShownProof[];
  readonly meta?: { readonly total: number };
}

/** Statuses of a service that is overloaded, stops, or was frozen while a request arrived. */
const nothingSaid: readonly number[] = [408, 429, 503];

/** An answer that is not JSON, or lacks a member, is a refusal without a code: no call may get it. */
export function readAnswer({ status, text }: Received): ClientAnswer {
  if (nothingSaid.includes(status)) return { kind: 'nothing' };
  const { code = null, data, meta, proofId = null } = parse(text);
  if (status < 300 && Array.isArray(data) && meta !== undefined) {
    const items = (data as readonly ShownProof[]).map(readShown);
    return { kind: 'page', items, total: meta.total };
  }
  if (status < 300 && data !== undefined) {
    return { kind: 'proof', status, proof: readShown(data as ShownProof) };
  }
  return { kind: 'refused', status, code, proofId };
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function readShown(data: ShownProof): ShownProof {
  const fields = [...comparedFields, 'evidence'] as const;
  const known = fields.flatMap((field) =>
    data[field] === undefined ? [] : [[field, data[field]] as const],
  );
  return { proofId: data.proofId, ...Object.fromEntries(known) };
}
