import { parseOrigin } from '../domain/log/origin.ts';
import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, check, failed, notChecked, ok } from '../verifier/check/check.ts';
import { type LoggedBundle, reasonAgainstEntry } from '../verifier/log/anchoring-leaf.ts';
import { type CheckpointNote, readCheckpointNote } from '../verifier/log/checkpoint.ts';
import type { ReadKey } from '../verifier/log/note-key.ts';
import { verifyCheckpoint } from '../verifier/log/verify-checkpoint.ts';

/**
 * Checks that the issuer's log holds this anchoring, and that a known key of the log has signed the
 * checkpoint. Each epoch of a log has its own name and key. A checkpoint is not checked if no key
 * is known for its name. The log shows everybody the same records of the issuer; only the ledger
 * proves that the file existed.
 */
export function checkLog(bundle: Bundle, logKeys: readonly ReadKey[] | null): Check[] {
  if (bundle.version === 1) {
    const why = "a bundle of version 1 contains no entry of the issuer's log";
    return [notChecked('log entry', why), notChecked('log checkpoint', why)];
  }
  const note = readCheckpointNote(bundle.log.checkpoint);
  return [checkEntry(bundle, note), checkCheckpoint(note, logKeys)];
}

function checkEntry(bundle: LoggedBundle, note: CheckpointNote | null): Check {
  if (note === null) return failed('log entry', malformed);
  const { leafIndex, hashes } = bundle.log;
  const { origin, size } = note.checkpoint;
  return check(
    'log entry',
    reasonAgainstEntry(bundle, note.checkpoint, { hashes, called: 'the checkpoint' }),
    `the log entry is at position ${leafIndex + 1} of the ${size} events that the checkpoint of ${origin} covers`,
  );
}

function checkCheckpoint(note: CheckpointNote | null, logKeys: readonly ReadKey[] | null): Check {
  const name = 'log checkpoint';
  if (logKeys === null) return notChecked(name, keyless);
  if (note === null) return failed(name, malformed);
  const opened = verifyCheckpoint(note, logKeys);
  switch (opened.status) {
    case 'verified': {
      const keys = opened.by.length === 1 ? 'key' : 'keys';
      const names = opened.by.map(({ vkey }) => vkey).join(' and ');
      return ok(name, `the checkpoint is signed with the given ${keys} ${names}`);
    }
    // No known key has signed: the check fails under a known name, and is not done under other names.
    case 'unknown-keys': {
      const { origin } = note.checkpoint;
      const isKnown = logKeys.some((key) => key.name === origin);
      return isKnown
        ? failed(name, unsignedBy(origin))
        : notChecked(name, unknownName(origin, logKeys));
    }
    case 'unsigned':
      return failed(name, unsigned);
    case 'forged':
      return failed(name, forged);
  }
}

const malformed = 'the checkpoint in the bundle is malformed';
const unsigned =
  'the checkpoint has no signature of the log that it names: it was forged or changed';
const forged = 'the signature does not match the checkpoint: one of them was forged or changed';
const keyless =
  "the signature of the checkpoint was not checked: name the keys of the issuer's log with --log-key";

function unsignedBy(origin: string): string {
  return (
    `the checkpoint is signed with none of the keys given for ${origin}: it was forged, or signed ` +
    'with a replaced key. Ask the issuer for all keys of the log, and name them with --log-key'
  );
}

function unknownName(origin: string, logKeys: readonly ReadKey[]): string {
  const logId = parseOrigin(origin)?.logId;
  const isOtherEpoch = logKeys.some((key) => logId && parseOrigin(key.name)?.logId === logId);
  return isOtherEpoch
    ? `the checkpoint belongs to ${origin}, another epoch of the log than the given keys: add the key of that epoch to --log-key`
    : `the checkpoint belongs to ${origin}, and no key of that log was given: ask the issuer for the key, and name it with --log-key`;
}
