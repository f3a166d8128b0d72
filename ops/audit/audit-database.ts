import { join } from 'node:path';
import { projections } from '../../projections/registry.ts';
import type { Config } from '../../src/config.ts';
import { decodeEvent } from '../../src/event-store/decode.ts';
import { createKeyring, type Keyring } from '../../src/event-store/keyring.ts';
import { EncryptedStorage } from '../../src/storage/encrypted-storage.ts';
import { openObjectStorage } from '../../src/storage/open-object-storage.ts';
import type { NoteVerifier } from '../../src/transparency-log/checkpoint/note-key.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { AnchorAudit } from './anchor-audit.ts';
import type { AskLedger, OpenRow } from './anchor-audit-options.ts';
import { auditLog, type LogReport } from './audit-log.ts';
import { type AuditedProjections, auditProjections } from './audit-projections.ts';
import type { AuditSession } from './audit-session.ts';
import type { AuditedLog, PublishedReader } from './audited-log.ts';
import { comparisonsNotMade } from './comparisons-not-made.ts';
import { configuredKeys } from './configured-keys.ts';
import type { AuditedPart } from './fault.ts';
import { auditFiles, type FilesReport } from './file-audit.ts';
import { KeyAudit } from './key-audit.ts';
import { auditOperations } from './operational-audit.ts';
import { Patience, patientDatabase } from './patience.ts';
import { readOnThreads } from './read-checked-rows.ts';
import type { OutsideReader } from './read-outside.ts';
import type { Queryable } from './read-rows.ts';
import { ReferenceAudit } from './reference-audit.ts';

interface AuditedDatabase
  extends Pick<AuditedLog, 'findings' | 'listedWithinMs' | 'onPosition' | 'readLog'>,
    Pick<AuditedProjections, 'onFolded'> {
  readonly session: AuditSession;
  /** Reader of the published log (`--log`); absent: the one under STORAGE_URL. */
  readonly published?: PublishedReader | null;
  readonly config: Config;
  /** Null if no ledger is asked. */
  readonly ask: AskLedger | null;
  /** Null: no checkpoints from outside are compared. */
  readonly outside: OutsideReader | null;
  /** Null: uses the keys of the configuration. */
  readonly trusted: readonly NoteVerifier[] | null;
  readonly patience?: Patience;
  /** True: all stored files are read. */
  readonly withFiles?: boolean;
  readonly onFile?: (count: number) => void;
}

/** Audits a database and its published log: the log, the organisations' keys, the read models. */
export async function auditDatabase(audited: AuditedDatabase): Promise<
  Partial<LogReport> & {
    readonly events: number;
    readonly unheld: readonly string[];
    readonly files: FilesReport | null;
    readonly keys: readonly string[];
  }
> {
  const { session, config, ask, outside, findings, patience = new Patience() } = audited;
  const { withFiles = false } = audited;
  const attempt = <Result>(part: AuditedPart, what: string, work: () => Promise<Result>) =>
    findings.attempt({ in: part, what }, work, null);
  const database = patientDatabase(session.pool, patience);
  const published =
    audited.published ??
    (await attempt('checkpoints', 'the published log under STORAGE_URL', () =>
      openLogStorage(config.storageUrl, config.storageCredentials, { mayCreate: false }),
    ));
  const masterKeys = await attempt('data_keys', 'the master key', () => session.readMasterKeys());
  if (masterKeys === null && config.masterKey === null && config.databaseUrl !== null) {
    findings.reportUnchecked({ in: 'data_keys', position: null, column: null, what: keyless });
  }
  const keys = new KeyAudit(database, findings);
  await attempt('data_keys', 'the keys of all organisations', () => keys.tryAll(masterKeys));
  const keyring = keys.openable(masterKeys && createKeyring(database, masterKeys));
  const configured = () => configuredKeys(config, database);
  const trusted =
    audited.trusted ?? (await attempt('checkpoints', 'the keys that sign checkpoints', configured));
  const anchors = new AnchorAudit({ ask, open: opening(keyring), findings });
  const references = new ReferenceAudit(findings);
  try {
    const log = await attempt('events', 'the log', () =>
      auditLog({
        ...{ ...audited, database, published, trusted, anchors, keys, references },
        readLog: audited.readLog ?? readOnThreads(session.url),
        isTrustGiven: audited.trusted !== null,
        readOutside: async (history, known) => (await outside?.read(history, known)) ?? [],
      }),
    );
    await attempt('data_keys', 'the search for missing keys of organisations', () =>
      keys.findMissing(),
    );
    await auditOperations(database, { findings, projections: projections.map(({ name }) => name) });
    const files = withFiles
      ? await attempt('files', 'the stored files', () =>
          readFiles(audited, { database, keyring, upTo: log?.events ?? 0 }),
        )
      : null;
    await auditProjections({ ...audited, db: session.db, database, patience, keyring, keys });
    const size = await attempt('checkpoints', 'the last listed checkpoint', () =>
      lastSize(database),
    );
    const unheld = comparisonsNotMade({
      ...{ source: 'database', events: log?.events ?? 0, published: size },
      ...{ hasKeys: trusted !== null, hasOwnKeys: audited.trusted !== null },
      ...{ hasLedger: ask !== null, hasFiles: withFiles, restores: log?.restores?.length ?? 0 },
      ...{ hiddenMemos: findings.compared.hiddenMemos },
    });
    const vkeys = (trusted ?? []).map(({ vkey }) => vkey);
    return { ...log, events: log?.events ?? 0, unheld, files, keys: vkeys };
  } finally {
    anchors.close();
    references.close();
    await published?.close?.();
  }
}

const keyless =
  'encrypted fields, commitments and the keys of organisations: MASTER_KEY is not set. Set it to check them, too';

async function readFiles(
  { config, findings, onFile }: AuditedDatabase,
  of: {
    readonly database: Queryable;
    readonly keyring: Pick<Keyring, 'find'>;
    readonly upTo: number;
  },
): Promise<FilesReport> {
  const { storageUrl, storageCredentials, dataDir } = config;
  const objects = await openObjectStorage(storageUrl, join(dataDir, 'staging'), storageCredentials);
  const storage = new EncryptedStorage(objects, of.keyring);
  try {
    return await auditFiles({ ...of, storage, findings, ...(onFile && { onFile }) });
  } finally {
    await storage.close();
  }
}

/**
 * Ignores `meta`, which is not compared with a ledger, so damaged `meta` does not prevent
 * decryption.
 */
function opening(keyring: Pick<Keyring, 'find'>): OpenRow {
  return async (row) => (await decodeEvent({ ...row, meta: '{}' }, keyring)).data;
}

async function lastSize(database: Queryable): Promise<number | null> {
  const { rows } = await database.query<{ size: number }>(
    'SELECT size FROM published_checkpoints ORDER BY number DESC LIMIT 1',
  );
  return rows[0]?.size ?? null;
}
