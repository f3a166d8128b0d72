import { recordedWords } from '../links/recorded-words.ts';
import type { SharedProof } from '../links/shared-proof.ts';

/** Facts of a shared proof as the service states them: plain text, not yet HTML. */
export interface SharedFacts {
  /** Null if the owner does not show it, or never named the file. */
  readonly fileName: string | null;
  readonly ledger: string;
  readonly time: string;
  readonly badge: string;
  readonly issuer: string;
  readonly issuedAt: string;
  readonly revision: number | null;
  readonly fileHash: string;
  readonly transactionHash: string;
  readonly previousTransactionHash: string | null;
  readonly mayBeIndexed: boolean;
}

export function sharedFacts({ link, proof }: SharedProof): SharedFacts {
  const { request, prepared, anchor, certificate } = proof;
  const { fileName, organisationName, issuedAt, revision } = certificate;
  return {
    ...recordedWords(proof),
    fileName: link.showsFileName && fileName !== null ? shownText(fileName) : null,
    issuer: shownText(organisationName),
    issuedAt,
    revision,
    fileHash: request.fileHash,
    transactionHash: anchor.transactionHash,
    previousTransactionHash: prepared.previousTransactionHash,
    mayBeIndexed: link.mayBeIndexed,
  };
}

/** Replaces characters for control or text direction, which could make a text look like another. */
function shownText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
