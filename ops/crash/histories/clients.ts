import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { recordCall, type SentRequest } from './client.ts';
import type { ListRequest, ProofStatus, RecordedCall } from './recorded-call.ts';

/** A client's organisation and key. */
export interface ClientAccount {
  readonly organisationId: string;
  readonly key: string;
  readonly workspaces: readonly string[];
}

export interface RunningClients {
  readonly calls: readonly RecordedCall[];
  /** Resolves when the last call is answered. */
  stop(): Promise<void>;
}

interface Options {
  /** One client for each. */
  readonly accounts: readonly ClientAccount[];
  /** URL of a service, chosen by a number from 0 to below 1; null while all are down. */
  readonly address: (choice: number) => string | null;
  readonly seed: number;
  /** Calls a second of all clients together. */
  readonly rate: number;
}

/** A proof that a client heard of. */
interface KnownProof {
  readonly workspace: string;
  readonly hash: string;
  /** Word in its name that few others have. */
  readonly batch: string;
  /** Null if no answer named it. */
  readonly proofId: string | null;
  readonly txHash: string | null;
}

const words = ['Invoice', 'contract', 'LEDGER', 'minutes', 'Report', 'patent'] as const;
const limits = [1, 2, 5, 10, 20] as const;
const statuses: readonly ProofStatus[] = ['pending', 'processing', 'completed'];
/** Turns of one client whose posts share a word, so that whole listings stay short. */
const batchTurns = 100;
const mostRemembered = 200;
const mostPages = 12;
const shares = { post: 0.2, get: 0.25, walk: 0.1, repeated: 0.15, foreign: 0.1 } as const;

/**
 * Starts clients that make one call after the other, each to any of the services. They post hashes
 * new and old, ask for proofs, list page after page, and search. Clients of one organisation ask for
 * each other's proofs; some also ask for those of other organisations, which they must never see.
 */
export function startClients({ accounts, address, seed, rate }: Options): RunningClients {
  const calls: RecordedCall[] = [];
  const known = new Map<string, KnownProof[]>();
  const everywhere: KnownProof[] = [];
  let running = true;
  const run = async (account: ClientAccount, index: number) => {
    const random = seededRandom(seed + 104_729 * (index + 1));
    const { organisationId, key } = account;
    const session = `client ${index + 1}`;
    const own = known.get(organisationId) ?? [];
    known.set(organisationId, own);
    const intervalMs = (1_000 * accounts.length) / rate;
    let due = performance.now() + random.next() * intervalMs;
    const call = async (request: SentRequest): Promise<RecordedCall | null> => {
      due = Math.max(due + intervalMs * (0.5 + random.next()), performance.now() - intervalMs);
      await delay(Math.max(0, due - performance.now()));
      const url = address(random.next());
      if (url === null) return null;
      const recorded = await recordCall({ session, organisationId, key, address: url }, request);
      const next = { id: calls.length + 1, ...recorded };
      calls.push(next);
      return next;
    };
    for (let turn = 0; running; turn += 1) {
      const kind = random.next();
      if (kind < shares.post) {
        const { batch, request } = nextPost({ random, account, own, seed, index, turn });
        const posted = await call(request);
        if (posted !== null) remember([own, everywhere], { batch, ...learn(posted, request) });
      } else if (kind < shares.post + shares.get) {
        const foreign = random.next() < shares.foreign;
        const proofId = pick(random, foreign ? everywhere : own)?.proofId ?? null;
        if (proofId !== null) await call({ kind: 'get', proofId });
      } else if (kind < shares.post + shares.get + shares.walk) {
        const walk = { ...nextList(random, account, own), walk: `${session} ${turn}` };
        for (let page = 1; running && page <= mostPages; page += 1) {
          const answer = (await call({ ...walk, page }))?.answer;
          if (answer?.kind !== 'page' || answer.total <= page * walk.limit) break;
        }
      } else {
        const list = nextList(random, account, own);
        await call({ ...list, page: random.next() < 0.8 ? 1 : random.between(2, 8) });
      }
    }
  };
  const done = Promise.all(accounts.map(run));
  return {
    calls,
    async stop() {
      running = false;
      await done;
    },
  };
}

interface Posting {
  readonly random: SeededRandom;
  readonly account: ClientAccount;
  readonly own: readonly KnownProof[];
  readonly seed: number;
  /** Number of the client, and of its turn. */
  readonly index: number;
  readonly turn: number;
}

function nextPost({ random, account, own, seed, index, turn }: Posting): {
  readonly batch: string;
  readonly request: Extract<SentRequest, { kind: 'post' }>;
} {
  const again = random.next() < shares.repeated ? pick(random, own) : null;
  const workspace = again?.workspace ?? pick(random, account.workspaces) ?? '';
  const hash = again?.hash ?? createHash('sha256').update(`${seed} ${index} ${turn}`).digest('hex');
  const batch = again?.batch ?? `b${index}x${Math.floor(turn / batchTurns)}`;
  const fileName = `${pick(random, words)} ${batch} ${turn}.pdf`;
  const isAsync = random.next() < 0.5;
  const isPlain = random.next() < 0.5;
  return { batch, request: { kind: 'post', workspace, hash, fileName, isAsync, isPlain } };
}

function nextList(
  random: SeededRandom,
  { workspaces }: ClientAccount,
  own: readonly KnownProof[],
): ListRequest {
  const workspace = random.next() < 0.3 ? (pick(random, workspaces) ?? null) : null;
  const status = random.next() < 0.3 ? (pick(random, statuses) ?? null) : null;
  const limit = pick(random, limits) ?? 20;
  const search = random.next() < 0.5 ? nextSearch(random, own) : null;
  return { kind: 'list', page: 1, limit, workspace, status, search, walk: null };
}

/** A word that many names have, a word of one batch, or a whole hash or id. */
function nextSearch(random: SeededRandom, own: readonly KnownProof[]): string | null {
  const proof = pick(random, own);
  const kind = random.next();
  if (kind < 0.15 || proof === null) return pick(random, words);
  if (kind < 0.3) return proof.hash;
  if (kind < 0.45) return proof.proofId;
  if (kind < 0.6) return proof.txHash;
  return proof.batch;
}

function learn(
  { answer }: RecordedCall,
  { workspace, hash }: Extract<SentRequest, { kind: 'post' }>,
): Omit<KnownProof, 'batch'> {
  const { proofId = null, txHash = null } = answer.kind === 'proof' ? answer.proof : {};
  return { workspace, hash, proofId, txHash: typeof txHash === 'string' ? txHash : null };
}

function remember(lists: readonly KnownProof[][], proof: KnownProof): void {
  for (const list of lists) {
    list.push(proof);
    if (list.length > mostRemembered) list.shift();
  }
}

function pick<Item>(random: SeededRandom, items: readonly Item[]): Item | null {
  return items[Math.floor(random.next() * items.length)] ?? null;
}
