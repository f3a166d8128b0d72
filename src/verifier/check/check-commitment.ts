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
  if (fileHash === null) return notChecked('file hash', 'no --file was given');
  const differs = `the file's SHA-256 is ${fileHash}, the bundle's is ${file.fileHash}`;
  return check(
    'file hash',
    fileHash === file.fileHash ? null : differs,
    `the file's SHA-256 is ${file.fileHash}`,
  );
}

function checkNonce({ file, commitment: stated }: Bundle): Check {
  if (stated.hashScheme === 'sha256-plain-v1') {
    return ok('commitment', 'with this scheme the memo holds the SHA-256 itself');
  }
  if (stated.nonce === null) {
    return notChecked(
      'commitment',
      'the nonce is left out, as in the form for sharing: whether it is of this file is not shown',
    );
  }
  const computed = commit(stated.nonce, file.fileHash as Digest);
  return check(
    'commitment',
    computed === stated.commitment
      ? null
      : `nonce and file hash give ${computed}, the bundle's commitment is ${stated.commitment}`,
    `HMAC-SHA-256 of the file's hash under the nonce is ${computed}`,
  );
}

function checkMemo({ file, commitment: stated, revision, evidence }: Bundle): Check {
  const { hashScheme, commitment } = stated;
  const previous = revision.previousTransactionHash;
  const expected = proofMemo({ fileHash: commitment ?? file.fileHash, hashScheme, previous });
  const holds = commitment === null ? 'the hash of the file' : 'the commitment';
  return check(
    'memo',
    evidence.memo.data === expected.data
      ? null
      : `the memo says ${evidence.memo.data}, the bundle would have it say ${expected.data}`,
    `it holds ${holds}, the scheme${previous === null ? '' : ', the revision before (not looked at)'} and nothing else`,
  );
}
