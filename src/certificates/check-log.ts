import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { parseOrigin } from '../domain/log/origin.ts';
import { openCheckpoint, readCheckpoint } from '../transparency-log/checkpoint/checkpoint.ts';
import type { NoteVerifier } from '../transparency-log/checkpoint/note-key.ts';
import { verifyInclusion } from '../transparency-log/tree/inclusion-proof.ts';
import type { Bundle, BundleLog } from '../verifier/bundle/bundle.ts';
import { type Check, check, failed, notChecked, ok } from '../verifier/check/check.ts';

/**
 * Checks that the issuer's log holds this anchoring, and that a known key of the log has signed the
 * checkpoint. Each epoch of a log has its own name and key. A checkpoint is not checked if no key
 * is known for its name. The log shows everybody the same records of the issuer; only the ledger
 * proves that the file existed.
 */
export function checkLog(bundle: Bundle, logKeys: readonly NoteVerifier[] | null): Check[] {
  if (bundle.version === 1) {
    const why = 'a bundle of version 1 does not say where it is in the log';
    return [notChecked('log entry', why), notChecked('log checkpoint', why)];
  }
  return [checkEntry(bundle), checkCheckpoint(bundle.log, logKeys)];
}

function checkEntry(bundle: Extract<Bundle, { version: 2 }>): Check {
  const { event, leafIndex: index, hashes, checkpoint } = bundle.log;
  const stated = readCheckpoint(checkpoint);
  if (stated === null) return failed('log entry', 'what it calls a checkpoint is none');
  if (event.stream !== `proof-${bundle.certificate.proofId}`) {
    return failed('log entry', 'the event is another proof’s');
  }
  if (event.dataHash !== hash('sha256', anchoringOf(bundle), 'hex')) {
    return failed('log entry', 'the event does not say that this transaction anchored it');
  }
  const { size, root } = stated;
  const leaf = hash('sha256', `\0${canonicalize(event)}`, 'buffer');
  const proof = hashes.map((hex) => Buffer.from(hex, 'hex'));
  return check(
    'log entry',
    verifyInclusion({ leaf, index, size, proof, root })
      ? null
      : `it is not entry ${index} of the ${size} of the checkpoint`,
    `it is entry ${index} of the ${size} that ${stated.origin} had`,
  );
}

/** Data of the Anchored event in canonical JSON, rebuilt from the ledger data in the bundle. */
function anchoringOf({ anchor, evidence, log }: Extract<Bundle, { version: 2 }>): string {
  const { transactionHash, ledgerIndex, ledgerHash, transactionIndex } = anchor;
  const { closeTime, closeTimeIso } = anchor;
  const { metadata, ledgerHeader } = evidence;
  const text = canonicalize({
    ...{ ledgerId: log.ledgerId, transactionHash, ledgerIndex, ledgerHash, transactionIndex },
    ...{ closeTime, closeTimeIso, metadata, ledgerHeader },
  });
  return text ?? '';
}

function checkCheckpoint(
  { checkpoint }: BundleLog,
  logKeys: readonly NoteVerifier[] | null,
): Check {
  const name = 'log checkpoint';
  if (logKeys === null)
    return notChecked(name, 'not checked against a key you named: no --log-key');
  const opened = openCheckpoint(checkpoint, logKeys);
  if (opened.status === 'verified') {
    return ok(name, `it is signed by ${opened.by.map(({ vkey }) => vkey).join(' and ')}`);
  }
  const stated = readCheckpoint(checkpoint);
  // No known key has signed: the check fails under a known name, and is not done under other names.
  if (opened.status === 'unknown-keys' && stated !== null) {
    const { origin } = stated;
    const isKnown = logKeys.some((key) => key.name === origin);
    return isKnown
      ? failed(name, unsignedBy(origin))
      : notChecked(name, unknownName(origin, logKeys));
  }
  const reasons = {
    malformed: 'it is no checkpoint of the log that the key is of',
    'unknown-keys': 'what it calls a checkpoint is none',
    forged: 'its signature is forged, or it was altered',
  };
  return failed(name, reasons[opened.status]);
}

function unsignedBy(origin: string): string {
  return (
    `it is signed by none of the keys that you named for ${origin}: it is forged, or was signed ` +
    'before a key was exchanged; then name that key too'
  );
}

function unknownName(origin: string, logKeys: readonly NoteVerifier[]): string {
  const logId = parseOrigin(origin)?.logId;
  const isOtherEpoch = logKeys.some((key) => logId && parseOrigin(key.name)?.logId === logId);
  return isOtherEpoch
    ? `it is of ${origin}, another epoch of the log than the keys that you named: name the key of that epoch too`
    : `it is of ${origin}, a log of which you named no key`;
}
