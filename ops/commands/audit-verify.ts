import type { Command } from 'commander';
import { projections } from '../../projections/registry.ts';
import { currentOrigin } from '../../src/commands/compare-log.ts';
import { loadConfig } from '../../src/config.ts';
import { epochKeys } from '../../src/domain/log/epoch-keys.ts';
import { type NoteVerifier, parseVerifierKey } from '../../src/domain/log/note-key.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { readOrCreateLogKey } from '../../src/embedded/log-key.ts';
import { decodeEvent, UnreadableEvent } from '../../src/event-store/decode.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { lastPublished } from '../../src/event-store/published-checkpoints.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { checked, commaSeparated } from '../arguments.ts';
import { AnchorAudit, type AskLedger } from '../audit/anchor-audit.ts';
import { openAskedLedger } from '../audit/ask-ledgers.ts';
import { auditExport } from '../audit/audit-export.ts';
import { auditLog } from '../audit/audit-log.ts';
import { auditProjection } from '../audit/audit-projection.ts';
import { type Fault, faultInWords, type Tell, type TellLost } from '../audit/fault.ts';
import { notHeld } from '../audit/not-held.ts';
import { publicLog } from '../audit/public-log.ts';
import { withSession } from '../operation.ts';
import type { OperatorSession } from '../operator-session.ts';
import { printable } from '../printable.ts';
import { openProgressLine, type ProgressLine } from '../progress-line.ts';

interface Options {
  readonly from?: string;
  readonly log?: string;
  readonly ledger?: readonly string[];
  readonly key?: readonly NoteVerifier[];
  readonly json?: boolean;
}

const mostTold = 1_000;

/** Adds `audit verify`. */
export function addAuditVerifyCommand(group: Command): void {
  group
    .command('verify')
    .description('whether history, tree, checkpoints, anchors and read models agree')
    .option('--from <file>', 'an export, without any database')
    .option('--log <url>', 'with --from: where the log is published, as https://HOST')
    .option(
      '--ledger <urls>',
      'servers of the ledger (ws:// or wss://) to hold anchors against',
      commaSeparated,
    )
    .option('--key <vkeys>', 'keys of the log as you know them', checked(parseKeys))
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const faults: Fault[] = [];
      let count = 0;
      const lost: string[] = [];
      const line = openProgressLine('events');
      const tellLost = (what: string) => {
        if (lost.length < mostTold) lost.push(what);
      };
      const tell = (fault: Fault) => {
        count += 1;
        if (count <= mostTold) faults.push(fault);
      };
      const audited = await audit(options, { tell, tellLost, line }).finally(() => line.end());
      if (count > 0) process.exitCode = 1;
      const said = count === 0 ? 'no fault' : `${count} fault${count === 1 ? '' : 's'}`;
      const lines = [...lost.map((what) => `lost: ${what}`), ...faults.map(faultInWords)];
      const { unheld } = audited;
      const text = [
        ...lines.map(printable),
        `${said} in ${audited.events} events`,
        ...unheld.map((what) => `not held against ${what}`),
      ].join('\n');
      const json = JSON.stringify({ ...audited, count, faults, lost });
      process.stdout.write(`${options.json ? json : text}\n`);
    });
}

interface Told {
  readonly tell: Tell;
  readonly tellLost: TellLost;
  readonly line: ProgressLine;
}

async function audit(options: Options, told: Told) {
  const asked = options.ledger === undefined ? null : openAskedLedger(options.ledger, told.tell);
  const ask = asked?.ask ?? null;
  const trusted = options.key ?? null;
  try {
    if (options.from === undefined) {
      return await withSession({ uncompared: true }, (session) =>
        auditDatabase(session, { ask, trusted, ...told }),
      );
    }
    const { tell, tellLost, line } = told;
    const anchors = new AnchorAudit({ ask, tell });
    const published = options.log === undefined ? null : publicLog(options.log);
    const onPosition = (position: number) => line.update('verifying', position, position);
    const of = { file: options.from, published, trusted, anchors };
    const audited = await auditExport({ ...of, tell, tellLost, onPosition }).finally(() =>
      anchors.close(),
    );
    const { publishedSize, ...found } = audited;
    const unheld = notHeld({
      events: found.events,
      published: published === null ? 'unasked' : publishedSize,
      hasKeys: trusted !== null,
      hasLedger: ask !== null,
    });
    return { ...found, unheld };
  } finally {
    await asked?.close();
  }
}

async function auditDatabase(
  session: OperatorSession,
  told: Told & {
    readonly ask: AskLedger | null;
    readonly trusted: readonly NoteVerifier[] | null;
  },
) {
  const { pool: database, published, store, db, masterKeys } = session;
  const { ask, tell, tellLost, line } = told;
  const keyring = createKeyring(database, masterKeys);
  const open = async (row: EventRow) => (await decodeEvent(row, keyring)).data;
  const anchors = new AnchorAudit({ ask, open, tell });
  const trusted = told.trusted ?? (await configuredKeys(session));
  const onPosition = (position: number, head: number) => line.update('verifying', position, head);
  const of = { database, published, trusted, anchors, tell, tellLost };
  const events = await auditLog({ ...of, onPosition }).finally(() => anchors.close());
  for (const projection of projections) {
    const trx = await db.startTransaction().setIsolationLevel('repeatable read').execute();
    const onFolded = (position: number, live: number) =>
      line.update(projection.name, position, live);
    try {
      await auditProjection(trx, { store, projection, tell, onPosition: onFolded });
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      const what = `${projection.name} cannot be folded: ${error.message}`;
      tell({ in: 'projections', position: null, column: null, what });
    } finally {
      await trx.rollback().execute();
    }
  }
  const size = (await lastPublished(db))?.size ?? null;
  const [hasKeys, hasLedger] = [trusted !== null, ask !== null];
  return { events, unheld: notHeld({ events, published: size, hasKeys, hasLedger }) };
}

/** The keys that sign checkpoints; null where this program is not told them. */
async function configuredKeys({ store }: OperatorSession): Promise<readonly NoteVerifier[] | null> {
  const { logKeys, databaseUrl, dataDir } = loadConfig(process.env);
  const seeds = logKeys?.map((secret) => secret.reveal()) ?? [];
  if (logKeys === null && databaseUrl === null) {
    const own = await readOrCreateLogKey(dataDir, { mayCreate: false }).catch(() => null);
    if (own !== null) seeds.push(own);
  }
  const origin = await currentOrigin(store).catch(() => null);
  if (seeds.length === 0 || origin === null) return null;
  // Until an epoch publishes something, the newest one is of an epoch before.
  return epochKeys({ origin, seeds, signed: [] }).flatMap((vkey) => parseVerifierKey(vkey) ?? []);
}

function parseKeys(text: string): readonly NoteVerifier[] {
  return commaSeparated(text).map((vkey) => {
    const key = parseVerifierKey(vkey);
    if (key === null) throw new Refusal('INVALID_REQUEST', `${vkey} is no key of a log`);
    return key;
  });
}
