import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { parseOrigin } from '../domain/log/origin.ts';
import { openCheckpoint, readCheckpoint } from '../transparency-log/checkpoint/checkpoint.ts';
import type { NoteVerifier } from '../transparency-log/checkpoint/note-key.ts';
import { verifyInclusion } from '../transparency-log/tree/inclusion-proof.ts';
import type { Bundle, BundleLog } from '../verifier/bundle/bundle.ts';
import { type Check, check, failed, notChecked, ok } from '../verifier/check/check.ts';

/**
 * Whether the issuer's log holds this anchoring, and whether its checkpoint is signed with one of the
 * keys that one knows for the log's. Each epoch of a log has a name, and so a key, of its own: a
 * checkpoint under a name of which one knows no key is not checked. The log shows what the issuer has put on record, to everybody
 * alike; that the file existed the ledger shows.
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
  const told = readCheckpoint(checkpoint);
  if (told === null) return failed('log entry', 'what it calls a checkpoint is none');
  if (event.stream !== `proof-${bundle.certificate.proofId}`) {
    return failed('log entry', 'the event is another proof’s');
  }
  if (event.dataHash !== hash('sha256', anchoringOf(bundle), 'hex')) {
    return failed('log entry', 'the event does not say that this transaction anchored it');
  }
  const { size, root } = told;
  const leaf = hash('sha256', `\0${canonicalize(event)}`, 'buffer');
  const proof = hashes.map((hex) => Buffer.from(hex, 'hex'));
  return check(
    'log entry',
    verifyInclusion({ leaf, index, size, proof, root })
      ? null
      : `it is not entry ${index} of the ${size} of the checkpoint`,
    `it is entry ${index} of the ${size} that ${told.origin} had`,
  );
}

/** What the Anchored event says, by the ledger's evidence in the bundle. */
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
  // Neither its name nor a signature is of a known key: there is nothing to hold it against.
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
