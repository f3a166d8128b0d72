import { hexToBytes } from '@noble/hashes/utils.js';
import { decodeBase64 } from '../../src/verifier/evidence/base64.ts';
import { followChain } from '../../src/verifier/evidence/header-chain.ts';
import { type LedgerHeader, readHeader } from '../../src/verifier/evidence/ledger-header.ts';
import { headerBytes, maxChain, maxManifestBytes } from '../../src/verifier/evidence/limits.ts';
import { readManifest } from '../../src/verifier/evidence/manifest.ts';
import { readValidation } from '../../src/verifier/evidence/validation.ts';
import { verifyAttestation } from '../../src/verifier/evidence/verify-attestation.ts';
import type { Evidence } from './evidence.ts';
import type { LoggedAttestation, LoggedLedger } from './logged-ledgers.ts';
import { type Violation, violation } from './violation.ts';

/** Ledgers with signatures that are verified; the others of a long run are not. */
const maxVerified = 400;
const maxValidationBytes = 8_192;

/**
 * Checks that every ledger with an anchor of ours is attested, and that the offline verifier accepts
 * its evidence.
 */
export function auditAttestations(evidence: Evidence['attesting']): readonly Violation[] {
  const { ledgers, publisherKeys } = evidence;
  if (publisherKeys.length === 0) return [];
  const every = Math.ceil(ledgers.length / maxVerified);
  return ledgers.flatMap((ledger, at) => {
    if (ledger.attestation === null) return [violation('notAttested', { ledger })];
    try {
      const attested = lastOf(ledger, ledger.attestation, evidence);
      if (at % every === 0) verify(attested, evidence);
      return [];
    } catch (error) {
      return [violation('falselyAttested', { ledger, error: String(error) })];
    }
  });
}

/** The attested ledger at the end of all links. */
function lastOf(
  ledger: LoggedLedger,
  attestation: LoggedAttestation,
  { attestations }: Evidence['attesting'],
): LoggedAttestation {
  let header: LedgerHeader = readHeader(hexToBytes(ledger.ledgerHeader));
  let last = attestation;
  while (last.event.type === 'LedgerLinked') {
    const { links, next } = last.event.data;
    header = followChain(header, decodeBase64(links, maxChain * headerBytes, 'links'));
    const found = attestations.get(next.ledgerIndex);
    if (found === undefined) throw new Error(`ledger ${next.ledgerIndex} is not attested`);
    last = found;
  }
  const { ledgerHash } = last.event.data;
  if (header.hash.toUpperCase() === ledgerHash) return last;
  throw new Error(`the links lead to ledger ${header.hash} instead of ${ledgerHash}`);
}

function verify({ event }: LoggedAttestation, { lists, publisherKeys }: Evidence['attesting']) {
  if (event.type !== 'LedgerAttested') return;
  const { ledgerHeader, validatorLists, manifests, validations } = event.data;
  const validatorList = lists.find(({ sequence }) => sequence === validatorLists[0]?.sequence);
  if (validatorList === undefined) throw new Error('its list is not on record');
  const read = <Item>(texts: readonly string[], most: number, readOne: (of: Uint8Array) => Item) =>
    texts.map((text) => readOne(decodeBase64(text, most, 'an item')));
  verifyAttestation(
    readHeader(hexToBytes(ledgerHeader)),
    {
      validatorList,
      manifests: read(manifests, maxManifestBytes, readManifest),
      validations: read(validations, maxValidationBytes, readValidation),
    },
    publisherKeys,
  );
}
