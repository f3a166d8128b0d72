import { join } from 'node:path';
import { projections } from '../../projections/registry.ts';
import type { Config } from '../../src/config.ts';
import { decodeEvent } from '../../src/event-store/decode.ts';
import { createKeyring, type Keyring } from '../../src/event-store/keyring.ts';
import { EncryptedStorage } from '../../src/storage/encrypted-storage.ts';
import { openObjectStorage } from '../../src/storage/open-object-storage.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import type { ReadKey } from '../../src/verifier/log/note-key.ts';
import type { Policy } from '../../src/verifier/log/policy.ts';
import { AnchorAudit } from './anchors/anchor-audit.ts';
import type { AskLedger, OpenRow } from './anchors/anchor-audit-options.ts';
import { TimestampAudit } from './anchors/timestamp-audit.ts';
import { configuredKeys } from './checkpoints/configured-keys.ts';
import { auditCosignatures } from './checkpoints/cosignature-audit.ts';
import { underStorageUrl } from './checkpoints/newest-checkpoint.ts';
import type { PublishedReader } from './checkpoints/published-reader.ts';
import type { AuditSession } from './database/audit-session.ts';
import { Patience, patientDatabase } from './database/patience.ts';
import { auditFiles, type FilesReport } from './files/file-audit.ts';
import type { AuditedPart, Fault } from './findings/fault.ts';
import { auditLog, type LogReport } from './log/audit-log.ts';
import type { AuditedLog } from './log/audited-log.ts';
import type { OutsideReader } from './outside/read-outside.ts';
import { type AuditedProjections, auditProjections } from './read-models/audit-projections.ts';
import { comparisonsNotMade } from './report/comparisons-not-made.ts';
import type { Queryable } from './rows/read-rows.ts';
import { ReferenceAudit } from './streams/reference-audit.ts';
import { auditAnchoring } from './tables/anchoring-audit.ts';
import { auditEndpoints } from './tables/endpoint-audit.ts';
import { auditIssuerKeys } from './tables/issuer-key-audit.ts';
import { KeyAudit } from './tables/key-audit.ts';
import { auditOperations } from './tables/operational-audit.ts';
import { auditSessions } from './tables/session-audit.ts';
import { readOnThreads } from './threads/read-checked-rows.ts';

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
  readonly trusted: readonly ReadKey[] | null;
  readonly patience?: Patience;
  /** Witnesses that the auditor knows; null or absent: none. */
  readonly policy?: Policy | null;
  /** Certificates (DER) of time-stamping authorities that the auditor trusts; null or absent: none. */
  readonly authorities?: readonly Uint8Array[] | null;
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
    (await attempt('checkpoints', `the published log ${underStorageUrl}`, () =>
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
  const timestamps = new TimestampAudit({ roots: audited.authorities ?? null, findings });
  const open = opening(keyring);
  const references = new ReferenceAudit(findings, async (row) => {
    const data = await open(row).catch(() => null);
    return data as Readonly<Record<string, unknown>> | null;
  });
  try {
    const log = await attempt('events', 'the log', () =>
      auditLog({
        ...{ ...audited, database, published, trusted, anchors, timestamps },
        place: audited.published ? 'at the address of --log' : underStorageUrl,
        ...{ keys, references },
        readLog:
          audited.readLog ?? readOnThreads(session.url, { verifiesBlobs: true, findsThings: true }),
        isTrustGiven: audited.trusted !== null,
        readOutside: async (history, known) => (await outside?.read(history, known)) ?? [],
      }),
    );
    await attempt('data_keys', 'the search for missing keys of organisations', () =>
      keys.findMissing(),
    );
    if (masterKeys !== null && !keys.noneOpens) {
      await attempt('data_keys', 'the private parts of the keys of the issuer', () =>
        auditIssuerKeys(keyring, references.issuerKeys, findings),
      );
    }
    await auditOperations(database, { findings, projections: projections.map(({ name }) => name) });
    await attempt('operations', 'table webhook_endpoints', () =>
      auditEndpoints(database, findings),
    );
    await attempt('operations', 'the saved states of anchoring', () =>
      auditAnchoring(database, findings),
    );
    await attempt('operations', 'table console_sessions', () => auditSessions(database, findings));
    const policy = audited.policy ?? null;
    const uncosigned = await attempt('checkpoints', 'the cosignatures of witnesses', () =>
      auditCosignatures(database, { findings, policy }),
    );
    const files = withFiles
      ? await attempt('files', 'the stored files', () =>
          readFiles(audited, {
            ...{ database, keyring, upTo: log?.events ?? 0 },
            keyFaultOf: (organisationId) => keys.faultOf(organisationId),
          }),
        )
      : null;
    await auditProjections({ ...audited, db: session.db, database, patience, keyring, keys });
    const size = await attempt('checkpoints', 'the last listed checkpoint', () =>
      lastSize(database),
    );
    const unheld = comparisonsNotMade({
      ...{ source: 'database', events: log?.events ?? 0, published: size },
      keptCheckpoints: outside?.compared.inFiles ?? 0,
      ...{ hasKeys: trusted !== null, hasOwnKeys: audited.trusted !== null },
      ...{ hasLedger: ask !== null, hasFiles: withFiles, restores: log?.restores?.length ?? 0 },
      ...{ hiddenMemos: findings.compared.hiddenMemos, timestamps: findings.compared.timestamps },
      hasAuthorities: (audited.authorities ?? null) !== null,
    });
    const uncompared = [...unheld, ...(uncosigned ?? [])];
    const vkeys = (trusted ?? []).map(({ vkey }) => vkey);
    return { ...log, events: log?.events ?? 0, unheld: uncompared, files, keys: vkeys };
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
    readonly keyFaultOf: (organisationId: string) => Fault | null;
    readonly upTo: number;
  },
): Promise<FilesReport> {
  const { storageUrl, storageCredentials, dataDir } = config;
  const staging = join(dataDir, 'staging');
  const objects = await openObjectStorage(storageUrl, staging, storageCredentials, {
    onlyReads: true,
  });
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
