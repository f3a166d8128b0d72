import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from './seeded-random.ts';

/** Answer to POST /proofs, as its caller got it. Times are Unix milliseconds. */
export interface Observation {
  readonly hash: string;
  readonly postedAt: number;
  readonly answeredAt: number;
  /** Null: the connection was refused or broke, or no answer came in time. */
  readonly status: number | null;
  readonly code: string | null;
  readonly alreadyProven: boolean;
  readonly proof: AnsweredProof | null;
}

/** Answer to GET /proofs/{proofId}. */
export interface Report {
  readonly proofId: string;
  readonly blockchainStatus: string;
  readonly txHash: string | null;
  readonly ledgerIndex: number | null;
}

export interface AnsweredProof {
  readonly proofId: string;
  readonly txHash: string | null;
  readonly proofCommitment: string | null;
  readonly proofNonce: string | null;
}

export interface Target {
  /** URL of a running service, chosen by a number from 0 to below 1; null while all are down. */
  readonly address: (choice: number) => string | null;
  readonly key: string;
  readonly workspace: string;
}

export interface RunningCallers {
  readonly observations: readonly Observation[];
  readonly reports: readonly Report[];
  /** Resolves when the last request is answered. */
  stop(): Promise<void>;
}

const answerWithinMs = 20_000;
const pauseMs = 100;
const shareOf = { repeated: 0.2, asynchronous: 0.1, askedFor: 0.1 } as const;

/**
 * Starts callers that post one hash after the other. Some hashes were posted before, also by other
 * callers. After some posts, the caller asks any service for the proof.
 */
export function startCallers(target: Target, count: number, seed: number): RunningCallers {
  const observations: Observation[] = [];
  const reports: Report[] = [];
  const posted: string[] = [];
  let posting = true;
  const call = async (_: unknown, caller: number) => {
    const random = seededRandom(seed + 7_919 * (caller + 1));
    for (let turn = 0; posting; turn += 1) {
      const again = random.next() < shareOf.repeated;
      const place = Math.floor(random.next() * Math.min(posted.length, 4 * count));
      const asynchronous = random.next() < shareOf.asynchronous;
      const known = again ? posted[posted.length - 1 - place] : undefined;
      const address = target.address(random.next());
      const asked = random.next() < shareOf.askedFor;
      const other = random.next();
      if (address !== null) {
        const hash = known ?? hashOf(`${seed} ${caller} ${turn}`);
        if (known === undefined) posted.push(hash);
        const seen = await post({ ...target, address }, hash, asynchronous);
        observations.push(seen);
        if (asked && seen.proof !== null) {
          const report = await askFor(target, target.address(other), seen.proof.proofId);
          if (report !== null) reports.push(report);
        }
        if (seen.status !== null && seen.status < 500) continue;
      }
      await delay(pauseMs);
    }
  };
  const done = Promise.all(Array.from({ length: count }, call));
  return {
    observations,
    reports,
    async stop() {
      posting = false;
      await done;
    },
  };
}

/**
 * Half of all hashes are anchored unsalted, so that duplicates are visible on the ledger itself.
 */
export function isPlain(hash: string): boolean {
  return Number.parseInt(hash.slice(0, 2), 16) % 2 === 0;
}

async function post(
  target: Omit<Target, 'address'> & { readonly address: string },
  hash: string,
  asynchronous: boolean,
): Promise<Observation> {
  const postedAt = Date.now();
  const { address, key, workspace } = target;
  const scheme = isPlain(hash) ? { hashScheme: 'sha256-plain-v1' } : {};
  try {
    const answer = await fetch(`${address}/api/v1/proofs`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...(asynchronous && { Prefer: 'respond-async' }),
      },
      body: JSON.stringify({ hash, workspace, ...scheme }),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const { status } = answer;
    const body = (await answer.json()) as Body;
    const { code = null, data: proof = null, alreadyProven = false } = body;
    return { hash, postedAt, answeredAt: Date.now(), status, code, alreadyProven, proof };
  } catch {
    const nothing = { status: null, code: null, alreadyProven: false, proof: null };
    return { hash, postedAt, answeredAt: Date.now(), ...nothing };
  }
}

/** Null without a report. */
async function askFor(
  { key }: Target,
  address: string | null,
  proofId: string,
): Promise<Report | null> {
  if (address === null) return null;
  const headers = { Authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(answerWithinMs);
  try {
    const answer = await fetch(`${address}/api/v1/proofs/${proofId}`, { headers, signal });
    const { data } = (await answer.json()) as { data?: Report };
    return data ?? null;
  } catch {
    return null;
  }
}

interface Body {
  readonly code?: string;
  readonly alreadyProven?: boolean;
  readonly data?: AnsweredProof;
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}
