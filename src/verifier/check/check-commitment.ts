import { commit } from '../../domain/proof/commit.ts';
import type { Digest } from '../../domain/proof/digest.ts';
import { proofMemo } from '../../domain/proof/memo.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { type Check, check, notChecked, ok } from './check.ts';

/** Checks the file's hash, the commitment to it, and the memo that holds the commitment. */
export function checkCommitment(bundle: Bundle, fileHash: string | null): Check[] {
  return [checkFile(bundle, fileHash), checkNonce(bundle), checkMemo(bundle)];
}

function checkFile({ file }: Bundle, fileHash: string | null): Check {
  if (fileHash === null)
    return notChecked('file hash', 'no file was compared with the bundle: give it with --file');
  const differs =
    `the file's SHA-256 is ${fileHash}, but the bundle states ${file.fileHash}: ` +
    'this is another file, or it was changed';
  return check(
    'file hash',
    fileHash === file.fileHash ? null : differs,
    `the file's SHA-256 is ${file.fileHash}, as the bundle states`,
  );
}

function checkNonce({ file, commitment: stated }: Bundle): Check {
  if (stated.hashScheme === 'sha256-plain-v1') {
    return ok(
      'commitment',
      'this hash scheme has no commitment: the memo contains the SHA-256 of the file itself',
    );
  }
  if (stated.nonce === null) {
    return notChecked(
      'commitment',
      'the bundle has no nonce, so its commitment cannot be compared with the file hash: ask for the bundle with the nonce',
    );
  }
  const computed = commit(stated.nonce, file.fileHash as Digest);
  return check(
    'commitment',
    computed === stated.commitment
      ? null
      : `the nonce and the file hash give the commitment ${computed}, but the bundle states ${stated.commitment}`,
    `the nonce and the file hash give the commitment ${computed}, as the bundle states`,
  );
}

function checkMemo({ file, commitment: stated, revision, evidence }: Bundle): Check {
  const { hashScheme, commitment } = stated;
  const previous = revision.previousTransactionHash;
  const expected = proofMemo({ fileHash: commitment ?? file.fileHash, hashScheme, previous });
  const anchored = commitment === null ? "the file's SHA-256" : 'the commitment';
  return check(
    'memo',
    evidence.memo.data === expected.data
      ? null
      : `the memo contains ${evidence.memo.data}, but the rest of the bundle requires ${expected.data}`,
    previous === null
      ? `the memo contains ${anchored}, the hash scheme and nothing else`
      : `the memo contains ${anchored}, the hash scheme, the transaction of the previous revision and nothing else. The previous revision was not checked`,
  );
}
