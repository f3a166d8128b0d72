import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { choice, integer, list, nothing, object, text, type ValueOf } from '../bundle/form.ts';
import { OutOfForm, readForm } from '../bundle/read-form.ts';
import { readCheckpointNote } from '../log/checkpoint.ts';
import { leafOf } from '../log/leaf.ts';
import { logSignature, type ReadKey } from '../log/note-key.ts';
import { verifyCheckpoint } from '../log/verify-checkpoint.ts';
import { verifyInclusion } from '../log/verify-inclusion.ts';
import { type Check, failed, notChecked, ok } from './check.ts';

/** Answer to the question whether the log records a PDF. */
export type IssuedAnswer =
  /** `record` is the `data` of `GET /log/certificates/{sha256}`. Nothing in it is verified. */
  | { readonly found: 'yes'; readonly record: unknown }
  | { readonly found: 'no'; readonly by: string }
  | { readonly found: 'unknown'; readonly why: string };

const digest = text({ pattern: /^[a-f0-9]{64}$/ });
const word = text({ maxLength: 200 });

const recordForm = object({
  event: object({
    ...{ v: choice(1), eventId: word, organisationId: nothing, stream: word },
    ...{ version: integer(1), type: choice('CertificateRecorded'), schema: choice(1) },
    ...{ recordedAt: word, dataHash: digest, metaHash: digest },
  }),
  leafIndex: integer(0),
  hashes: list(digest, 64),
  checkpoint: text({ maxLength: 8_192 }),
});

type CertificateRecord = ValueOf<typeof recordForm>;

/** Result for the record of a PDF under the log keys that the reader trusts. */
export type FoundRecord =
  | { readonly status: 'malformed' | 'ofAnother' | 'noCheckpoint' | 'notInTree' | 'forged' }
  /** No key of this log is known. */
  | { readonly status: 'unknownKey'; readonly origin: string }
  /** The log, or every known key of it, has not signed the checkpoint. */
  | { readonly status: 'unsignedByKnown'; readonly origin: string }
  | { readonly status: 'recorded'; readonly origin: string; readonly at: RecordedAt };

interface RecordedAt {
  /** The first event has position 1. */
  readonly position: number;
  readonly size: number;
  readonly time: string;
}

/**
 * Checks that the log records a PDF byte for byte. `pdf` is its SHA-256, lower-case hex. Log keys are
 * those that the reader trusts.
 */
export function checkIssued(
  { pdf, isSigned }: { readonly pdf: string; readonly isSigned: boolean },
  answer: IssuedAnswer,
  logKeys: readonly ReadKey[],
): Check {
  const name = 'issued certificate';
  if (answer.found === 'unknown') return notChecked(name, answer.why);
  if (answer.found === 'no') {
    return isSigned
      ? failed(name, `${answer.by} has no record of these bytes: ${notIssued}`)
      : notChecked(
          name,
          'the bytes of certificates before version 6 of the bundle are not recorded',
        );
  }
  return inWords(findIssued(pdf, answer.record, logKeys));
}

const notIssued = 'this PDF is not the one that was issued; its pages may say anything';

/** Reads the members that the check needs; null if one is missing or malformed. */
function readRecord(value: unknown): CertificateRecord | null {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<keyof CertificateRecord, unknown>
  >;
  const { event, leafIndex, hashes, checkpoint } = given;
  try {
    return readForm(recordForm, { event, leafIndex, hashes, checkpoint });
  } catch (error) {
    if (error instanceof OutOfForm) return null;
    throw error;
  }
}

function isOf({ event }: CertificateRecord, pdf: string): boolean {
  const data = bytesToHex(sha256(utf8ToBytes(`{"sha256":"${pdf}"}`)));
  return event.stream === `certificate-${pdf}` && event.dataHash === data;
}

/**
 * Judges the record of a PDF: the `data` of `GET /log/certificates/{sha256}`, which nothing vouches for.
 * `pdf` is the SHA-256 of the PDF, lower-case hex. `recorded` means that the log has it under a key that
 * the reader trusts.
 */
export function findIssued(pdf: string, given: unknown, logKeys: readonly ReadKey[]): FoundRecord {
  const record = readRecord(given);
  if (record === null) return { status: 'malformed' };
  if (!isOf(record, pdf)) return { status: 'ofAnother' };
  const { event, leafIndex: index, hashes, checkpoint } = record;
  const note = readCheckpointNote(checkpoint);
  if (note === null) return { status: 'noCheckpoint' };
  const { size, root, origin } = note.checkpoint;
  const leaf = leafOf(event);
  const proof = hashes.map((hash) => hexToBytes(hash));
  if (!verifyInclusion({ leaf, index, size, proof, root })) return { status: 'notInTree' };
  const { status } = verifyCheckpoint(note, logKeys);
  if (status === 'forged') return { status };
  if (status !== 'verified') {
    const ofLogs = logKeys.filter(({ type }) => type === logSignature);
    // A reader who knows a key of any log expects a signature by the one that the checkpoint names.
    const isExpected = ofLogs.some(({ name }) => status === 'unsigned' || name === origin);
    return { status: isExpected ? 'unsignedByKnown' : 'unknownKey', origin };
  }
  return { status: 'recorded', origin, at: { position: index + 1, size, time: event.recordedAt } };
}

function inWords(found: FoundRecord): Check {
  const name = 'issued certificate';
  switch (found.status) {
    case 'malformed':
      return failed(name, 'the record of the certificate is malformed');
    case 'ofAnother':
      return failed(name, `the record is of another PDF: ${notIssued}`);
    case 'noCheckpoint':
      return failed(name, 'the checkpoint is malformed');
    case 'notInTree':
      return failed(name, 'the record is not in the tree of the checkpoint');
    case 'forged':
      return failed(name, 'the checkpoint is forged or was changed');
    case 'unknownKey':
      return notChecked(
        name,
        `the checkpoint belongs to ${found.origin}, and no key of that log was given with --log-key`,
      );
    case 'unsignedByKnown':
      return failed(
        name,
        `the checkpoint belongs to ${found.origin}, and is signed with none of the given keys: ` +
          'it was forged, or signed with a replaced key. Ask the issuer for all keys of the log',
      );
    case 'recorded': {
      const { position, size, time } = found.at;
      const where = `position ${position} of the ${size} events of ${found.origin}`;
      return ok(name, `the log records this PDF, byte for byte, at ${where}, at ${time}`);
    }
  }
}
