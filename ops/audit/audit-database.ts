import type { Config } from '../../src/config.ts';
import { decodeEvent } from '../../src/event-store/decode.ts';
import { createKeyring, type Keyring } from '../../src/event-store/keyring.ts';
import type { NoteVerifier } from '../../src/transparency-log/checkpoint/note-key.ts';
import { openLogStorage } from '../../src/transparency-log/publish/open-log-storage.ts';
import { AnchorAudit, type AskLedger, type OpenRow } from './anchor-audit.ts';
import { type AuditedLog, auditLog } from './audit-log.ts';
import { type AuditedProjections, auditProjections } from './audit-projections.ts';
import type { AuditSession } from './audit-session.ts';
import { configuredKeys } from './configured-keys.ts';
import type { AuditedPart } from './fault.ts';
import { KeyAudit } from './key-audit.ts';
import { notHeld } from './not-held.ts';
import { Patience, patientDatabase } from './patience.ts';
import type { Queryable } from './read-rows.ts';

export interface AuditedDatabase
  extends Pick<AuditedLog, 'findings' | 'listedWithinMs' | 'onPosition'>,
    Pick<AuditedProjections, 'onFolded'> {
  readonly session: AuditSession;
  readonly config: Config;
  /** Null where no ledger is asked. */
  readonly ask: AskLedger | null;
  /** Null for those of the configuration. */
  readonly trusted: readonly NoteVerifier[] | null;
  readonly patience?: Patience;
}

/** Audits a database with what was published of its log: the log, the keys of organisations, the read models. */
export async function auditDatabase(
  audited: AuditedDatabase,
): Promise<{ readonly events: number; readonly unheld: readonly string[] }> {
  const { session, config, ask, findings, patience = new Patience() } = audited;
  const attempt = <Result>(part: AuditedPart, what: string, work: () => Promise<Result>) =>
    findings.attempt({ in: part, what }, work, null);
  const database = patientDatabase(session.pool, patience);
  const published = await attempt('checkpoints', 'what is under STORAGE_URL', () =>
    openLogStorage(config.storageUrl),
  );
  const masterKeys = await attempt('data_keys', 'all keys', () => session.readMasterKeys());
  const keys = new KeyAudit(database, findings);
  await attempt('data_keys', 'all keys', () => keys.tryAll(masterKeys));
  const keyring = keys.openable(masterKeys && createKeyring(database, masterKeys));
  const configured = () => configuredKeys(config, database);
  const trusted = audited.trusted ?? (await attempt('checkpoints', 'keys that sign', configured));
  const anchors = new AnchorAudit({ ask, open: opening(keyring), findings });
  try {
    const events = await attempt('events', 'the log', () =>
      auditLog({ ...audited, database, published, trusted, anchors, keys }),
    );
    await attempt('data_keys', 'keys that may be missing', () => keys.findMissing());
    await auditProjections({ ...audited, db: session.db, database, patience, keyring, keys });
    const size = await attempt('checkpoints', 'the end of the list', () => lastSize(database));
    const [hasKeys, hasLedger] = [trusted !== null, ask !== null];
    const scope = { events: events ?? 0, published: size, hasKeys, hasLedger };
    return { events: scope.events, unheld: notHeld(scope) };
  } finally {
    anchors.close();
    await published?.close();
  }
}

/** Nothing of `meta` is held against a ledger, so that a damaged one hinders nothing. */
function opening(keyring: Pick<Keyring, 'find'>): OpenRow {
  return async (row) => (await decodeEvent({ ...row, meta: '{}' }, keyring)).data;
}

async function lastSize(database: Queryable): Promise<number | null> {
  const { rows } = await database.query<{ size: number }>(
    'SELECT size FROM published_checkpoints ORDER BY number DESC LIMIT 1',
  );
  return rows[0]?.size ?? null;
}
