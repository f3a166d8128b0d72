import { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { type AppendOptions, benchAppend } from './append.ts';
import { type AuditOptions, benchAudit } from './audit.ts';
import { benchCertificates, type CertificatesOptions } from './certificates.ts';
import { benchHostile, type HostileOptions } from './hostile.ts';
import { benchLimits, type LimitsOptions } from './limits.ts';
import { benchListing, type ListingOptions } from './listing.ts';
import { benchProofs, type ProofsOptions } from './proofs.ts';
import { benchRebuild, type RebuildOptions } from './rebuild.ts';
import { benchRuns, type RunsOptions } from './runs.ts';
import { benchSeal, type SealOptions } from './seal.ts';
import { benchTelemetry, type TelemetryOptions } from './telemetry.ts';
import { benchUpload, type UploadOptions } from './upload.ts';
import { benchWebhooks, type WebhooksOptions } from './webhooks.ts';

const program = new Command('bench')
  .description('Measures this service on this machine; prints one JSON document.')
  .showHelpAfterError('(add --help for what there is)');

add<AppendOptions>(
  program
    .command('append')
    .description('coalesced appends against one transaction per event')
    .option('--callers <n>', 'concurrent callers', wholeNumber, 32)
    .option('--seconds <n>', 'measured, of each variant', wholeNumber, 12)
    .option('--rounds <n>', 'in which the variants take turns', wholeNumber, 4),
  benchAppend,
);

add<AuditOptions>(
  program
    .command('audit')
    .description('the history exported and verified')
    .option('--events <n>', 'of the log', wholeNumber, 200_000),
  benchAudit,
);

add<ProofsOptions>(
  program
    .command('proofs')
    .description('proofs anchored through POST /proofs, every one verified afterwards')
    .option('--accounts <n>', 'that the service anchors from', wholeNumber, 8)
    .option('--callers <n>', 'concurrent callers', wholeNumber, 1_000)
    .option('--seconds <n>', 'measured', wholeNumber, 60)
    .option('--warm-up <n>', 'seconds before it, not measured', wholeNumber, 30)
    .option('--total <n>', 'measure from the 1,000th to this proof instead', wholeNumber),
  benchProofs,
);

add<UploadOptions>(
  program
    .command('upload')
    .description('files uploaded through POST /documents: many at once, and one after the other')
    .option('--uploads <n>', 'at once', wholeNumber, 100)
    .option('--mib <n>', 'size of each', wholeNumber, 20)
    .option('--rounds <n>', 'how often', wholeNumber, 3)
    .option('--single-mib <n>', 'size of those that come alone', wholeNumber, 100),
  benchUpload,
);

add<CertificatesOptions>(
  program
    .command('certificates')
    .description('certificates rendered on one thread, and what the others notice of it')
    .option('--seconds <n>', 'measured', wholeNumber, 20)
    .option('--warm-up <n>', 'seconds before it, not measured', wholeNumber, 5)
    .option('--proofs <n>', 'whose certificates are asked of the service', wholeNumber, 1_000),
  benchCertificates,
);

add<ListingOptions>(
  program
    .command('listing')
    .description('lists and searches of an organisation with very many documents')
    .option('--documents <n>', 'of that organisation', wholeNumber, 1_000_000)
    .option('--searches <n>', 'different ones of each kind', wholeNumber, 300)
    .option('--logged <n>', 'proofs of another one, folded from the log', wholeNumber, 30_000),
  benchListing,
);

add<RunsOptions>(
  program
    .command('runs')
    .description('decisions of very many sweeps of agents, listed by each filter over HTTP')
    .option('--runs <n>', 'of that organisation', wholeNumber, 10_000)
    .option('--decisions <n>', 'of each run', wholeNumber, 100)
    .option('--queries <n>', 'of each filter', wholeNumber, 200)
    .option('--large <n>', 'runs of 8 MB, reported at once', wholeNumber, 8),
  benchRuns,
);

add<SealOptions>(
  program
    .command('seal')
    .description('the tree of a long log, brought up from nothing and as it grows')
    .option('--events <n>', 'of the log', wholeNumber, 1_000_000)
    .option('--steps <n>', 'small growths, comparisons and proofs', wholeNumber, 200),
  benchSeal,
);

add<RebuildOptions>(
  program
    .command('rebuild')
    .description('projections built anew from the log, compared and swapped')
    .option('--events <n>', 'of the log', wholeNumber, 1_000_000)
    .option('--only <names>', 'these projections, separated by commas'),
  benchRebuild,
);

add<WebhooksOptions>(
  program
    .command('webhooks')
    .description(
      'deliveries to a local receiver: how many, and how soon beside endpoints that fail',
    )
    .option('--deliveries <n>', 'of the first part', wholeNumber, 15_000)
    .option('--seconds <n>', 'of the second part', wholeNumber, 30)
    .option(
      '--rounds <n>',
      'of the third part: proofs without enqueuing and with it',
      wholeNumber,
      4,
    ),
  benchWebhooks,
);

add<LimitsOptions>(
  program
    .command('limits')
    .description('what request limits cost a GET: with the limiter and without it, in turn')
    .option('--callers <n>', 'concurrent callers', wholeNumber, 32)
    .option('--seconds <n>', 'measured, of each variant', wholeNumber, 24)
    .option('--rounds <n>', 'in which the variants take turns', wholeNumber, 24),
  benchLimits,
);

add<HostileOptions>(
  program
    .command('hostile')
    .description('the calls of a tenant beside a hostile key that does its worst within its limits')
    .option('--minutes <n>', 'beside it; four send every call once', wholeNumber, 4)
    .option('--documents <n>', 'of the hostile organisation', wholeNumber, 20_000),
  benchHostile,
);

add<TelemetryOptions>(
  program
    .command('telemetry')
    .description('what metrics and traces cost a GET and a proof: without, with, in turn')
    .option('--callers <n>', 'concurrent callers; of posts ten times as many', wholeNumber, 32)
    .option('--seconds <n>', 'measured, of each variant and call', wholeNumber, 24)
    .option('--rounds <n>', 'in which the variants take turns', wholeNumber, 8),
  benchTelemetry,
);

function add<Options extends object>(
  command: Command,
  measure: (options: Options) => Promise<object>,
): void {
  command.action(async (options: Options) => {
    const startedAt = new Date().toISOString();
    const result = await measure(options);
    process.stdout.write(`${JSON.stringify({ startedAt, ...result }, null, 2)}\n`);
  });
}

await program.parseAsync();
