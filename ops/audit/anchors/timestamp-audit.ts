import { createHash } from 'node:crypto';
import type { LedgerJoined } from '../../../src/domain/ledger/events.ts';
import type { CheckpointAnchored } from '../../../src/domain/log/checkpoint-events.ts';
import { type CheckpointMemo, checkpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import type { CheckpointTimestamped } from '../../../src/domain/log/timestamp-events.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { BadToken } from '../../../src/timestamps/bad-token.ts';
import { textOf } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { BadEvidence } from '../../../src/verifier/evidence/bad-evidence.ts';
import { readToken, type TokenStatements } from '../../../src/verifier/timestamp/read-token.ts';
import type { Findings } from '../findings/findings.ts';
import type { PastTree } from '../history/past-tree.ts';
import { parseObject } from '../rows/parse-object.ts';

interface TimestampAuditOptions {
  /** Certificates (DER) that the auditor trusts; null: the authorities' signatures are not verified. */
  readonly roots?: readonly Uint8Array[] | null;
  readonly findings: Findings;
}

/** Types of the events that `TimestampAudit` needs. */
export const timestampTypes: ReadonlySet<string> = new Set<
  (LedgerJoined | CheckpointAnchored | CheckpointTimestamped)['type']
>(['LedgerJoined', 'CheckpointAnchored', 'CheckpointTimestamped']);

/** Clocks of ledger and authority may differ so much. */
const maxClockDifferenceMs = 300_000;
/** A process may record a token late, but not a day before its time. */
const toleranceMs = 86_400_000;

/**
 * Compares every recorded time-stamp token with the anchored checkpoint that it is of, with the close
 * of the ledger that anchors it, and with the time of the record. With certificates of the auditor it
 * also verifies the signatures of the authorities. Add rows in the order of the log.
 */
export class TimestampAudit {
  readonly #options: TimestampAuditOptions;
  /** Close of the ledger of each anchored checkpoint, in ms since 1970; NaN if it says nothing. */
  readonly #closed = new Map<string, number>();
  /** Their clocks may be ahead by any time. */
  readonly #standalone = new Set<string>();

  constructor(options: TimestampAuditOptions) {
    this.#options = options;
  }

  async add(row: EventRow, past: PastTree): Promise<void> {
    if (row.type === 'LedgerJoined') this.#join(row);
    if (row.type === 'CheckpointAnchored') this.#remember(row);
    if (row.type !== 'CheckpointTimestamped') return;
    const { findings } = this.#options;
    const at = { in: 'timestamps', position: row.position, column: 'data' } as const;
    const audit = async () => {
      for (const what of await this.#reasons(row, past)) {
        findings.reportFault({ ...at, what }, { streams: [row.stream, past.stream ?? ''] });
      }
    };
    await findings.attempt({ ...at, what: 'the time-stamp token' }, audit, undefined);
  }

  #join({ data }: EventRow): void {
    const joined = parseObject<LedgerJoined['data']>(data);
    if (joined?.standalone === true) this.#standalone.add(joined.ledgerId);
  }

  /** The audit of the anchor reports what is wrong with it. */
  #remember({ data }: EventRow): void {
    const anchor = parseObject<CheckpointAnchored['data']>(data);
    if (anchor === null || !isMemo(anchor)) return;
    const isStandalone = this.#standalone.has(anchor.ledgerId);
    const closed = isStandalone ? Number.NaN : Date.parse(anchor.closeTimeIso);
    this.#closed.set(checkpointMemo(anchor).data, closed);
  }

  async #reasons(row: EventRow, { stream }: PastTree): Promise<readonly string[]> {
    const data = parseObject<CheckpointTimestamped['data']>(row.data);
    if (data === null || !isMemo(data) || typeof data.token !== 'string') {
      return ['the event does not contain the token of a checkpoint'];
    }
    const logId = stream?.replace(/^log-/, '') ?? '';
    const reasons: string[] = [];
    if (row.stream !== streams.timestamp(logId, data.rootHash) || row.version !== 1) {
      reasons.push('the token is not the only event of the stream of its checkpoint');
    }
    const closed = this.#closed.get(checkpointMemo(data).data);
    if (closed === undefined) reasons.push('no earlier event anchors the checkpoint of the token');
    const token = Buffer.from(data.token, 'base64');
    const text = textOf(data);
    const stated = readStatements(token);
    if (typeof stated === 'string') return [...reasons, stated];
    if (stated.imprint !== createHash('sha256').update(text).digest('hex')) {
      reasons.push('the token is of other data than the checkpoint');
    }
    const time = Date.parse(stated.time);
    if (stated.time !== data.time) {
      reasons.push(`the token states the time ${stated.time}, but the event ${data.time}`);
    }
    if (time < (closed ?? Number.NaN) - maxClockDifferenceMs) {
      const close = new Date(closed ?? 0).toISOString();
      reasons.push(
        `the token states the time ${stated.time}, before the ledger with the checkpoint closed at ${close}`,
      );
    }
    if (time > Date.parse(row.recorded_at) + toleranceMs) {
      reasons.push(`the token states the time ${stated.time}, a day or more after it was recorded`);
    }
    this.#options.findings.compared.timestamps += 1;
    return [...reasons, ...(await this.#reasonsOfSignature(token, text, data.authority))];
  }

  async #reasonsOfSignature(
    token: Uint8Array,
    data: Uint8Array,
    authority: string,
  ): Promise<readonly string[]> {
    const { roots = null } = this.#options;
    if (roots === null) return [];
    try {
      // Loaded only where it is needed: the library of certificates is large.
      const { verifyToken } = await import('../../../src/timestamps/verify-token.ts');
      const verified = await verifyToken(token, { data, roots });
      if (verified.authority === authority) return [];
      return [`${verified.authority} signed the token, but the event names ${authority}`];
    } catch (error) {
      if (!(error instanceof BadToken)) throw error;
      return [`no certificate of --tsa-ca vouches for the token: ${error.message}`];
    }
  }
}

function readStatements(token: Uint8Array): TokenStatements | string {
  try {
    return readToken(token);
  } catch (error) {
    if (!(error instanceof BadEvidence)) throw error;
    return error.message;
  }
}

function isMemo({ origin, size, rootHash }: Partial<CheckpointMemo>): boolean {
  const isRoot = typeof rootHash === 'string' && /^[0-9a-f]{64}$/.test(rootHash);
  return isRoot && typeof origin === 'string' && Number.isSafeInteger(size);
}
