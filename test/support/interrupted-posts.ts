import type { Test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { type Answer, type Caller, dataOf, postProof, verify } from './api-client.ts';
import { ledgerOf } from './own-ledger.ts';

/** A post to a program that was then interrupted; `answer` is null if none came. */
export interface Attempt {
  readonly hash: string;
  readonly answer: Answer | null;
}

/** The plain scheme makes the ledger show the hash, so a hash anchored twice is detectable. */
export const plain = { hashScheme: 'sha256-plain-v1' };

/** Posts all hashes at once; resolves when each has an answer or a broken connection. */
export function attemptAll(caller: Caller, hashes: readonly string[]): Promise<Attempt[]> {
  return Promise.all(
    hashes.map(async (hash) => ({
      hash,
      answer: await postProof(caller, hash, plain).catch(() => null),
    })),
  );
}

/** Distinct outcomes of the attempts, in alphabetical order. */
export function outcomesOf(attempts: readonly Attempt[]): string[] {
  const words = attempts.map(({ answer }) => {
    if (answer === null) return 'no answer';
    return answer.body.code === undefined
      ? `${answer.status}`
      : `${answer.status} ${answer.body.code}`;
  });
  return [...new Set(words)].sort();
}

/**
 * Posts every hash again to the restarted program. Checks that each is proven, that earlier answers still
 * hold, and that the ledger has exactly one transaction for each, and `others` for other hashes.
 */
export async function checkSettled(
  t: Test,
  caller: Caller,
  dataDir: string,
  attempts: readonly Attempt[],
  others = 0,
): Promise<void> {
  const again = await attemptAll(
    caller,
    attempts.map(({ hash }) => hash),
  );
  const { url, account } = await ledgerOf(dataDir);
  const anchored = await readLedgerProofs(url, [account]);
  const wrong: unknown[] = [];
  for (const [place, { hash, answer }] of attempts.entries()) {
    const now = again[place]?.answer ?? null;
    const onLedger = anchored.filter(({ fileHash }) => fileHash === hash);
    const isOnce = onLedger.length === 1 && onLedger[0]?.result === 'tesSUCCESS';
    const txHash = now?.body.data?.txHash;
    const isShown = txHash !== undefined && txHash === onLedger[0]?.txHash;
    if (isOnce && isShown && follows(answer, now)) continue;
    wrong.push({ hash, answer, now, onLedger });
  }
  t.strictSame(
    wrong,
    [],
    'each hash is proven by one transaction, consistent with its first answer',
  );
  t.equal(anchored.length, attempts.length + others, 'the ledger holds no other transaction');
  const verified = await Promise.all(
    again.map(async ({ answer }) => {
      const txHash = answer === null ? null : dataOf(answer).txHash;
      return (await verify(caller.address, txHash)).body.data?.verified;
    }),
  );
  t.strictSame(new Set(verified), new Set([true]));
}

/** True if `now` is a permitted answer after `before`. */
function follows(before: Answer | null, now: Answer | null): boolean {
  if (now === null || (now.status !== 200 && now.status !== 201)) return false;
  if (before === null) return true;
  switch (before.body.code) {
    case undefined:
      return now.status === 200 && dataOf(now).txHash === dataOf(before).txHash;
    case 'PROOF_NOT_RECORDED':
      return now.status === 200;
    case 'XRPL_ERROR':
      return now.status === 201;
    default:
      return false;
  }
}
