import { isolated, shownText } from '../../domain/shown-text.ts';
import { recordedWords } from '../links/recorded-words.ts';
import type { SharedProof } from '../links/shared-proof.ts';

/** Facts of a shared proof as the service states them: plain text, not yet HTML. */
export interface SharedFacts {
  /** Null if the owner does not show it, or never named the file. */
  readonly fileName: string | null;
  readonly ledger: string;
  readonly time: string;
  /** The same time as ISO 8601. */
  readonly closeTimeIso: string;
  readonly badge: string;
  readonly issuer: string;
  readonly revision: number | null;
  readonly fileHash: string;
  readonly transactionHash: string;
  readonly previousTransactionHash: string | null;
  readonly mayBeIndexed: boolean;
}

export function sharedFacts({ link, proof }: SharedProof): SharedFacts {
  const { request, prepared, anchor, certificate } = proof;
  const { fileName, organisationName, revision } = certificate;
  return {
    ...recordedWords(proof),
    fileName: link.showsFileName && fileName !== null ? isolated(shownText(fileName)) : null,
    issuer: shownText(organisationName),
    revision,
    fileHash: request.fileHash,
    transactionHash: anchor.transactionHash,
    previousTransactionHash: prepared.previousTransactionHash,
    mayBeIndexed: link.mayBeIndexed,
  };
}
