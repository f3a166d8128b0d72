import type { Command } from 'commander';
import { type Config, loadConfig } from '../../src/config.ts';
import { networks } from '../../src/domain/network.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { readPolicy } from '../../src/transparency-log/cosigning/read-policy.ts';
import type { ReadKey } from '../../src/verifier/log/note-key.ts';
import type { Policy } from '../../src/verifier/log/policy.ts';
import { AnchorAudit } from '../audit/anchors/anchor-audit.ts';
import type { AskLedger } from '../audit/anchors/anchor-audit-options.ts';
import { auditDatabase } from '../audit/audit-database.ts';
import { auditExport } from '../audit/audit-export.ts';
import type { PublishedReader } from '../audit/checkpoints/published-reader.ts';
import { openAuditSession } from '../audit/database/audit-session.ts';
import { Findings } from '../audit/findings/findings.ts';
import type { AnchoringAccount } from '../audit/history/log-history.ts';
import { openAskedLedger } from '../audit/outside/ask-ledgers.ts';
import { publicLog } from '../audit/outside/public-log.ts';
import { OutsideReader } from '../audit/outside/read-outside.ts';
import { type Audited, auditInWords } from '../audit/report/audit-in-words.ts';
import { comparisonsNotMade, neverCompared } from '../audit/report/comparisons-not-made.ts';
import { withOpened } from '../session/operation.ts';
import { checked, commaSeparated } from '../terminal/arguments.ts';
import { readCertificates } from '../verifying/read-evidence.ts';
import { parseAccounts, parseAddress, parseKeys } from './audit-arguments.ts';
import { type AuditProgress, openAuditProgress } from './audit-progress.ts';

interface Options {
  readonly from?: string;
  readonly log?: string;
  readonly ledger?: readonly string[];
  readonly account?: readonly string[];
  readonly checkpoint?: readonly string[];
  readonly key?: readonly ReadKey[];
  readonly policy?: string;
  readonly tsaCa?: string;
  readonly files?: boolean;
  readonly json?: boolean;
}

export function addAuditVerifyCommand(group: Command): void {
  group
    .command('verify')
    .description('check that history, tree, checkpoints, anchors and read models agree')
    .option('--from <file>', 'verify this export instead of the database')
    .option(
      '--log <url>',
      'where the log is published, as https://HOST; by default under STORAGE_URL',
      checked(parseAddress),
    )
    .option(
      '--ledger <urls>',
      'ledger servers (ws:// or wss://) to compare anchors with, separated by commas',
      commaSeparated,
    )
    .option(
      '--account <addresses>',
      'with --ledger: accounts that anchor checkpoints of the log, separated by commas',
      checked(parseAccounts),
    )
    .option('--checkpoint <files...>', 'checkpoints of the log that you have kept, a file each')
    .option(
      '--key <vkeys>',
      'known keys of the log (NAME+ID+KEY), separated by commas',
      checked(parseKeys),
    )
    .option(
      '--policy <file>',
      'file with the witnesses that you know (tlog-policy), for cosignatures; not with --from',
    )
    .option(
      '--tsa-ca <file>',
      'certificates (PEM) that you trust for time-stamping authorities, to verify their tokens',
    )
    .option('--files', 'read all stored files and certificates; not with --from')
    .option('--json', 'print one JSON object')
    .addHelpText('after', exitCodes)
    .action(async (options: Options) => {
      if (options.files === true && options.from !== undefined) {
        throw new Refusal('INVALID_REQUEST', filesOfExport);
      }
      if (options.policy !== undefined && options.from !== undefined) {
        throw new Refusal('INVALID_REQUEST', cosignaturesOfExport);
      }
      const policy = options.policy === undefined ? null : await readPolicy(options.policy);
      const authorities =
        options.tsaCa === undefined ? null : await readCertificates(options.tsaCa);
      const findings = new Findings({ hasDatabase: options.from === undefined });
      const progress = openAuditProgress();
      const startedMs = Date.now();
      let audited: Audited = { ...nothing, startedAt: new Date(startedMs).toISOString() };
      let isPrinted = false;
      const print = () => {
        if (isPrinted) return;
        isPrinted = true;
        progress.end();
        const report = findings.report();
        audited = { ...audited, seconds: Math.round((Date.now() - startedMs) / 100) / 10 };
        if (report.count > 0) process.exitCode = 1;
        else if (report.uncheckedCount > 0) process.exitCode = 3;
        const json = JSON.stringify({ ...audited, ...report });
        process.stdout.write(`${options.json ? json : auditInWords(report, audited)}\n`);
      };
      const onSignal = () => {
        const what = 'the rest of the audit was interrupted; run the command again';
        findings.reportUnchecked({ in: 'events', position: null, column: null, what });
        print();
      };
      const onAudited = (done: Partial<Audited>) => {
        audited = { ...audited, ...done };
      };
      const onPosition = (position: number, head: number | null) => {
        onAudited({ events: position });
        progress.onPosition(position, head);
      };
      const reports = { findings, progress, onSignal, onAudited, onPosition };
      await audit(options, { policy, authorities, ...reports });
      print();
    });
}

const exitCodes = `
The exit code is 1 if a fault was found, 3 if something could not be checked, and otherwise 0. After Ctrl-C it is 130.`;

interface Auditing {
  /** Null: no `--policy`. */
  readonly policy: Policy | null;
  /** Certificates (DER); null: no `--tsa-ca`. */
  readonly authorities: readonly Uint8Array[] | null;
  readonly findings: Findings;
  readonly progress: AuditProgress;
  /** Called on a signal, before it ends the program. */
  readonly onSignal: () => void;
  readonly onAudited: (audited: Partial<Audited>) => void;
  /** `head` is null if the number of events is unknown. */
  readonly onPosition: (position: number, head: number | null) => void;
}

const noCheckpoints =
  'checkpoints that you have kept (no --checkpoint): a log that was written anew as a whole is noticed only by them and by the ledger';

const filesOfExport =
  'an export has no files: audit the database to read them (--files without --from)';

const cosignaturesOfExport =
  'an export has no cosignatures: audit the database to compare them (--policy without --from)';

const nothing: Audited = {
  ...{ events: 0, root: null, origin: null, publishedSize: null, keys: [], files: null },
  ...{ unheld: [], outside: { onLedger: 0, inFiles: 0 }, restores: [], startedAt: '', seconds: 0 },
};

/** Rejects only if the configuration is wrong. */
async function audit(options: Options, auditing: Auditing): Promise<void> {
  const { findings, progress, onSignal, onAudited } = auditing;
  const config = options.from === undefined ? loadConfig(process.env, { onlyReads: true }) : null;
  const { ledger } = options;
  const open = async (interrupted: AbortSignal) => {
    const session = config === null ? null : await openAuditSession(config, interrupted);
    const asked = ledger === undefined ? null : openAskedLedger(ledger, findings.reportUnchecked);
    const close = async () => {
      await asked?.close();
      await session?.close();
    };
    return { session, asked, close };
  };
  const work = async ({ session, asked }: Awaited<ReturnType<typeof open>>) => {
    const ask = asked?.ask ?? null;
    const trusted = options.key ?? null;
    const outside = new OutsideReader({
      asked,
      accounts: options.account ?? [],
      configured: config === null ? [] : checkpointAccounts(config),
      files: options.checkpoint ?? [],
      findings,
    });
    const published = options.log === undefined ? null : publicLog(options.log);
    const withFiles = options.files === true;
    const { onFolded, onFile } = progress;
    const held = { published, ask, outside };
    const audited = await (config === null || session === null
      ? verifyExport(options, auditing, held)
      : auditDatabase({
          ...{ ...auditing, ...held, session, config, trusted },
          ...{ withFiles, onFolded, onFile },
        }));
    const kept = (options.checkpoint ?? []).length > 0 ? [] : [noCheckpoints];
    const unheld = [...(audited.unheld ?? []), ...outside.notCompared, ...kept, ...neverCompared];
    onAudited({ ...audited, unheld, outside: outside.compared });
  };
  const whole = () => withOpened(open, work, onSignal);
  await findings.attempt({ in: 'events', what: 'the log' }, whole, undefined);
}

async function verifyExport(
  { from = '', key }: Options,
  { findings, authorities, onPosition }: Auditing,
  {
    published,
    ask,
    outside,
  }: {
    readonly published: PublishedReader | null;
    readonly ask: AskLedger | null;
    readonly outside: OutsideReader;
  },
): Promise<Partial<Audited>> {
  const anchors = new AnchorAudit({ ask, findings });
  const of = { file: from, published, trusted: key ?? null, anchors, authorities, findings };
  const audited = await auditExport({
    ...of,
    readOutside: (history, known) => outside.read(history, known),
    onPosition: (position) => onPosition(position, null),
  }).finally(() => anchors.close());
  if (audited === null) return {};
  const { events, publishedSize, restores } = audited;
  const unheld = comparisonsNotMade({
    ...{ source: 'export', events, restores: restores.length, hasFiles: false },
    published: published === null ? 'unasked' : publishedSize,
    keptCheckpoints: outside.compared.inFiles,
    ...{ hasKeys: key !== undefined, hasOwnKeys: key !== undefined, hasLedger: ask !== null },
    ...{ hiddenMemos: findings.compared.hiddenMemos, timestamps: findings.compared.timestamps },
    hasAuthorities: authorities !== null,
  });
  return { ...audited, unheld, keys: (key ?? []).map(({ vkey }) => vkey) };
}

function checkpointAccounts({ networks: configured }: Config): readonly AnchoringAccount[] {
  return networks.flatMap((network) => {
    const account = configured[network]?.checkpointAccount?.address;
    return account === undefined ? [] : [{ account, network }];
  });
}
