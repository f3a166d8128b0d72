import type { Command } from 'commander';
import { projections } from '../../projections/registry.ts';
import { currentOrigin } from '../../src/commands/compare-log.ts';
import { loadConfig } from '../../src/config.ts';
import { type NoteVerifier, noteSigner, parseVerifierKey } from '../../src/domain/log/note-key.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { readOrCreateLogKey } from '../../src/embedded/log-key.ts';
import { UnreadableEvent } from '../../src/event-store/decode.ts';
import { checked, commaSeparated } from '../arguments.ts';
import { AnchorAudit } from '../audit/anchor-audit.ts';
import { AnchoredCheckpoints } from '../audit/anchored-checkpoints.ts';
import { openAskedLedger } from '../audit/ask-ledgers.ts';
import { auditExport } from '../audit/audit-export.ts';
import { auditLog } from '../audit/audit-log.ts';
import { auditProjection } from '../audit/audit-projection.ts';
import { type Fault, faultInWords, type Tell } from '../audit/fault.ts';
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
      const line = openProgressLine('events');
      const tell = (fault: Fault) => {
        count += 1;
        if (count <= mostTold) faults.push(fault);
      };
      const audited = await audit(options, tell, line).finally(() => line.end());
      if (count > 0) process.exitCode = 1;
      const said = count === 0 ? 'no fault' : `${count} fault${count === 1 ? '' : 's'}`;
      const lines = [...faults.map((fault) => printable(faultInWords(fault)))];
      const text = [...lines, `${said} in ${audited.events} events`].join('\n');
      const json = JSON.stringify({ ...audited, count, faults });
      process.stdout.write(`${options.json ? json : text}\n`);
    });
}

async function audit(options: Options, tell: Tell, line: ProgressLine) {
  const asked = options.ledger === undefined ? null : openAskedLedger(options.ledger, tell);
  const ask = asked?.ask ?? null;
  const anchors = new AnchorAudit({ ask, tell });
  const anchoredCheckpoints = new AnchoredCheckpoints({ ask, tell });
  const trusted = options.key ?? null;
  try {
    if (options.from === undefined) {
      return await withSession({ uncompared: true }, (session) =>
        auditDatabase(session, { anchors, anchoredCheckpoints, trusted, tell, line }),
      );
    }
    const published = options.log === undefined ? null : publicLog(options.log);
    const onPosition = (position: number) => line.update('verifying', position, position);
    const of = { file: options.from, published, trusted, anchors, anchoredCheckpoints };
    return await auditExport({ ...of, tell, onPosition });
  } finally {
    anchors.close();
    await asked?.close();
  }
}

async function auditDatabase(
  session: OperatorSession,
  told: {
    readonly anchors: AnchorAudit;
    readonly anchoredCheckpoints: AnchoredCheckpoints;
    readonly trusted: readonly NoteVerifier[] | null;
    readonly tell: Tell;
    readonly line: ProgressLine;
  },
) {
  const { pool: database, published, store, db } = session;
  const { anchors, anchoredCheckpoints, tell, line } = told;
  const trusted = told.trusted ?? (await configuredKeys(session));
  const onPosition = (position: number, head: number) => line.update('verifying', position, head);
  const hearing = { anchors, anchoredCheckpoints, tell, onPosition };
  const events = await auditLog({ database, published, trusted, ...hearing });
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
  return { events };
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
  return seeds.flatMap((seed) => parseVerifierKey(noteSigner(origin, seed).vkey) ?? []);
}

function parseKeys(text: string): readonly NoteVerifier[] {
  return commaSeparated(text).map((vkey) => {
    const key = parseVerifierKey(vkey);
    if (key === null) throw new Refusal('INVALID_REQUEST', `${vkey} is no key of a log`);
    return key;
  });
}
