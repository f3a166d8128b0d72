import type { Readable } from 'node:stream';
import { type BlobKey, isBlobKey } from '../../../src/domain/blob/blob-key.ts';
import { BlobLost } from '../../../src/domain/blob/blob-lost.ts';
import type { DomainEvent } from '../../../src/domain/events.ts';
import { proofOfStream } from '../../../src/domain/streams.ts';
import { decodeEvent } from '../../../src/event-store/decode.ts';
import type { Keyring } from '../../../src/event-store/keyring.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { BlobMissing } from '../../../src/storage/blob-missing.ts';
import type { BlobFacts, BlobStorage } from '../../../src/storage/contract.ts';
import { extractBundle, maxCertificateBytes } from '../../../src/verifier/bundle/extract-bundle.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import { isOutOfReach } from '../findings/out-of-reach.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { type Queryable, readRowPages } from '../rows/read-rows.ts';
import { ProvenProofs, provenTypes } from './proven-proofs.ts';
import { type ProvenFacts, reasonsAgainstBundle } from './reasons-against-bundle.ts';

/** Result of reading all stored files. */
export interface FilesReport {
  /** Files whose bytes were read, and are those that the event records. */
  readonly read: number;
  readonly bytes: number;
  /** Among them, certificates whose bundle is the issued one. */
  readonly certificates: number;
  /** Files of erased organisations, which are deleted. */
  readonly erased: number;
}

interface AuditedFiles {
  readonly database: Queryable;
  readonly storage: Pick<BlobStorage, 'open'>;
  readonly keyring: Pick<Keyring, 'find'>;
  /** Fault of a damaged key of the organisation; null if there is none. */
  readonly keyFaultOf?: (organisationId: string) => Fault | null;
  readonly findings: Findings;
  readonly upTo: number;
  readonly onFile?: (count: number) => void;
}

const types: readonly DomainEvent['type'][] = [
  ...provenTypes,
  'DocumentStored',
  'RevisionChained',
  'CertificateIssued',
];
/** Files that are read at once: a bucket takes longer to answer than to send. */
const atOnce = 4;
/** After this many files in a row that cannot be reached, no more are read. */
const mostUnreached = 3;

/**
 * Reads all files that events name, and compares their bytes with size and hash in the event: uploads
 * with the file that was proven, certificates with the issued PDF and bundle. Files may be stored
 * encrypted or plain.
 */
export async function auditFiles(audited: AuditedFiles): Promise<FilesReport> {
  const audit = new FileAudit(audited, await erasedOrganisations(audited.database));
  try {
    for await (const { rows } of readRowPages(audited.database, { upTo: audited.upTo, types })) {
      for (let from = 0; from < rows.length; from += atOnce) {
        const batch = rows.slice(from, from + atOnce);
        for (const row of batch) await audit.learn(row);
        await Promise.all(batch.map((row) => audit.add(row)));
      }
    }
    return audit.report();
  } finally {
    audit.close();
  }
}

class FileAudit {
  readonly #audited: AuditedFiles;
  readonly #erased: ReadonlySet<string>;
  readonly #proofs = new ProvenProofs();
  #read = 0;
  #bytes = 0;
  #certificates = 0;
  #ofErased = 0;
  #unopened = 0;
  #unreached = 0;
  #unread = 0;

  constructor(audited: AuditedFiles, erased: ReadonlySet<string>) {
    this.#audited = audited;
    this.#erased = erased;
  }

  close(): void {
    this.#proofs.close();
  }

  report(): FilesReport {
    const { findings } = this.#audited;
    const at = { in: 'files', position: null, column: null } as const;
    if (this.#unopened > 0) {
      const what = `${this.#unopened} files: no key decrypts the events that name them. Set MASTER_KEY, or restore data_keys`;
      findings.reportUnchecked({ ...at, what });
    }
    if (this.#unread > 0) {
      const what = `${this.#unread} more files were not read, because ${mostUnreached} in a row cannot be reached. Audit again later`;
      findings.reportUnchecked({ ...at, what });
    }
    return {
      read: this.#read,
      bytes: this.#bytes,
      certificates: this.#certificates,
      erased: this.#ofErased,
    };
  }

  /** Remembers what an event states about a proof. Call this before later rows are added. */
  async learn(row: FoundRow): Promise<void> {
    if (!isProven(row)) return;
    const event = await this.#decode(row);
    if (event !== null) this.#proofs.learn(event);
  }

  /** Audits the file that an event names. */
  async add(row: FoundRow): Promise<void> {
    if (isProven(row)) return;
    const { findings } = this.#audited;
    const event = await this.#decode(row);
    if (event === null) return;
    const attempted = { in: 'files', position: row.position, column: 'data' } as const;
    const what = `the file of this event (${row.type})`;
    await findings.attempt({ ...attempted, what }, () => this.#check(event), undefined);
    this.#audited.onFile?.(this.#read);
  }

  /** Null if the event cannot be read: the audit of the row reports it. */
  async #decode(row: FoundRow): Promise<StoredEvent<DomainEvent> | null> {
    return decodeEvent({ ...row, meta: '{}' }, this.#audited.keyring).catch((error) => {
      if (isOutOfReach(error)) throw error;
      return null;
    });
  }

  async #check(event: StoredEvent<DomainEvent>): Promise<void> {
    const key = String(Object(event.data).blobKey);
    if (!isBlobKey(key)) throw new Error('the event does not name a stored file');
    if (event.erased) {
      if (this.#erased.has(event.organisationId ?? '')) await this.#checkDeleted(event, key);
      else this.#leaveUnopened(event);
      return;
    }
    if (this.#unreached >= mostUnreached) {
      this.#unread += 1;
      return;
    }
    const facts = factsOf(event);
    if (facts === null) return;
    const proven = this.#factsOfProof(event);
    const isFile = event.type !== 'CertificateIssued' && proven.fileHash !== null;
    if (isFile && proven.fileHash !== facts.sha256) {
      this.#fault(event, 'the file of this event is not the file that its proof was requested for');
    }
    try {
      const bytes = await this.#bytesOf(event, key, facts);
      this.#read += 1;
      this.#bytes += facts.sizeBytes;
      if (bytes !== null) await this.#checkBundle(event, bytes, proven);
      this.#unreached = 0;
    } catch (error) {
      if (isOutOfReach(error)) this.#unreached += 1;
      if (!(error instanceof BlobLost)) throw error;
      const advice =
        event.type === 'CertificateIssued' && error instanceof BlobMissing
          ? 'The service makes it again when it is requested'
          : 'Restore the file from a backup of the storage';
      this.#fault(event, `${error.message}. ${advice}`);
    }
  }

  #leaveUnopened({ position, organisationId }: StoredEvent): void {
    const { findings, keyFaultOf } = this.#audited;
    const fault = keyFaultOf?.(organisationId ?? '') ?? null;
    if (fault === null) {
      this.#unopened += 1;
      return;
    }
    const what = 'the file of this event was not read: the event cannot be decrypted';
    findings.addConsequence(fault, { in: 'files', position, column: null, what });
  }

  /** Reads a file to its end, which verifies it. Returns the bytes of a certificate. */
  async #bytesOf(
    { type }: StoredEvent<DomainEvent>,
    key: BlobKey,
    facts: BlobFacts,
  ): Promise<Buffer | null> {
    const isKept = type === 'CertificateIssued' && facts.sizeBytes <= maxCertificateBytes;
    const source: Readable = await this.#audited.storage.open(key, facts);
    const chunks: Buffer[] = [];
    for await (const chunk of source) if (isKept) chunks.push(chunk);
    return isKept ? Buffer.concat(chunks) : null;
  }

  async #checkBundle(
    event: StoredEvent<DomainEvent>,
    pdf: Buffer,
    proven: ProvenFacts,
  ): Promise<void> {
    if (event.type !== 'CertificateIssued') return;
    const reasons = reasonsAgainstBundle(event, await extractBundle(pdf), proven);
    for (const what of reasons) this.#fault(event, what);
    if (reasons.length === 0) this.#certificates += 1;
  }

  async #checkDeleted(event: StoredEvent<DomainEvent>, key: BlobKey): Promise<void> {
    this.#ofErased += 1;
    const nothing = { sizeBytes: 0, sha256: '' } as unknown as BlobFacts;
    const isStored = await this.#audited.storage.open(key, nothing).then(
      (stream) => stream.destroy() !== undefined,
      (error) => {
        if (isOutOfReach(error)) throw error;
        return !(error instanceof BlobMissing);
      },
    );
    if (!isStored) return;
    const what =
      'the file of this event is still stored, although its organisation is erased. Start the service, which deletes it';
    this.#fault(event, what);
  }

  #factsOfProof({ type, stream, data }: StoredEvent<DomainEvent>): ProvenFacts {
    const isIssued = type === 'CertificateIssued';
    return this.#proofs.factsOf(isIssued ? proofOfStream(stream) : Object(data).proofId);
  }

  #fault({ position, stream }: StoredEvent, what: string): void {
    const fault = { in: 'files', position, column: 'data', what } as const;
    this.#audited.findings.reportFault(fault, { streams: [stream] });
  }
}

function isProven({ type }: FoundRow): boolean {
  return provenTypes.some((one) => one === type);
}

function factsOf({ type, data }: StoredEvent<DomainEvent>): BlobFacts | null {
  switch (type) {
    case 'DocumentStored':
    case 'RevisionChained':
      return { sizeBytes: data.fileSizeBytes, sha256: data.fileHash };
    case 'CertificateIssued':
      return { sizeBytes: data.sizeBytes, sha256: data.pdfDigest };
    default:
      return null;
  }
}

async function erasedOrganisations(database: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string }>(
    "SELECT organisation_id AS id FROM events WHERE type = 'OrganisationErased'",
  );
  return new Set(rows.map(({ id }) => id));
}
