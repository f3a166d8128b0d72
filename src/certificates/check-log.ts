import { parseOrigin } from '../domain/log/origin.ts';
import { openCheckpoint, readCheckpoint } from '../transparency-log/checkpoint/checkpoint.ts';
import type { NoteVerifier } from '../transparency-log/checkpoint/note-key.ts';
import type { Bundle, BundleLog } from '../verifier/bundle/bundle.ts';
import { type Check, check, failed, notChecked, ok } from '../verifier/check/check.ts';
import {
  anchoringLeaf,
  type LoggedBundle,
  reasonAgainstEntry,
} from '../verifier/log/anchoring-leaf.ts';
import { verifyInclusion } from '../verifier/log/verify-inclusion.ts';

/**
 * Checks that the issuer's log holds this anchoring, and that a known key of the log has signed the
 * checkpoint. Each epoch of a log has its own name and key. A checkpoint is not checked if no key
 * is known for its name. The log shows everybody the same records of the issuer; only the ledger
 * proves that the file existed.
 */
export function checkLog(bundle: Bundle, logKeys: readonly NoteVerifier[] | null): Check[] {
  if (bundle.version === 1) {
    const why = "a bundle of version 1 contains no entry of the issuer's log";
    return [notChecked('log entry', why), notChecked('log checkpoint', why)];
  }
  return [checkEntry(bundle), checkCheckpoint(bundle.log, logKeys)];
}

function checkEntry(bundle: LoggedBundle): Check {
  const { leafIndex: index, hashes, checkpoint } = bundle.log;
  const stated = readCheckpoint(checkpoint);
  if (stated === null) return failed('log entry', 'the checkpoint in the bundle is malformed');
  const stranger = reasonAgainstEntry(bundle);
  if (stranger !== null) return failed('log entry', stranger);
  const { size, root } = stated;
  const leaf = anchoringLeaf(bundle);
  const proof = hashes.map((hex) => Buffer.from(hex, 'hex'));
  return check(
    'log entry',
    verifyInclusion({ leaf, index, size, proof, root })
      ? null
      : `the log entry is not at position ${index + 1} of the ${size} events that the checkpoint covers`,
    `the log entry is at position ${index + 1} of the ${size} events that the checkpoint of ${stated.origin} covers`,
  );
}

function checkCheckpoint(
  { checkpoint }: BundleLog,
  logKeys: readonly NoteVerifier[] | null,
): Check {
  const name = 'log checkpoint';
  if (logKeys === null) return notChecked(name, keyless);
  const stated = readCheckpoint(checkpoint);
  if (stated === null) return failed(name, 'the checkpoint in the bundle is malformed');
  const opened = openCheckpoint(checkpoint, logKeys);
  if (opened.status === 'verified') {
    const keys = opened.by.length === 1 ? 'key' : 'keys';
    const names = opened.by.map(({ vkey }) => vkey).join(' and ');
    return ok(name, `the checkpoint is signed with the given ${keys} ${names}`);
  }
  // No known key has signed: the check fails under a known name, and is not done under other names.
  if (opened.status === 'unknown-keys') {
    const { origin } = stated;
    const isKnown = logKeys.some((key) => key.name === origin);
    return isKnown
      ? failed(name, unsignedBy(origin))
      : notChecked(name, unknownName(origin, logKeys));
  }
  const reasons = {
    malformed: 'the checkpoint has no signature of the log that it names: it was forged or changed',
    forged: 'the signature does not match the checkpoint: one of them was forged or changed',
  };
  return failed(name, reasons[opened.status]);
}

const keyless =
  "the signature of the checkpoint was not checked: name the keys of the issuer's log with --log-key";

function unsignedBy(origin: string): string {
  return (
    `the checkpoint is signed with none of the keys given for ${origin}: it was forged, or signed ` +
    'with a replaced key. Ask the issuer for all keys of the log, and name them with --log-key'
  );
}

function unknownName(origin: string, logKeys: readonly NoteVerifier[]): string {
  const logId = parseOrigin(origin)?.logId;
  const isOtherEpoch = logKeys.some((key) => logId && parseOrigin(key.name)?.logId === logId);
  return isOtherEpoch
    ? `the checkpoint belongs to ${origin}, another epoch of the log than the given keys: add the key of that epoch to --log-key`
    : `the checkpoint belongs to ${origin}, and no key of that log was given: ask the issuer for the key, and name it with --log-key`;
}
