import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { Refusal } from '../../src/domain/refusal.ts';
import { acquireDataDirLock, DataDirBusyError } from '../../src/embedded/data-dir-lock.ts';
import { startMetricsServer } from '../../src/telemetry/metrics-server.ts';
import type { ReadKey } from '../../src/verifier/log/note-key.ts';
import { KnownKeys } from '../audit/checkpoints/known-keys.ts';
import { openAskedLedger } from '../audit/outside/ask-ledgers.ts';
import { publicLog } from '../audit/outside/public-log.ts';
import { Alerts } from '../following/alerts.ts';
import { openAnchorReader } from '../following/anchor-reader.ts';
import { AnchorWatch } from '../following/anchor-watch.ts';
import { followMetrics } from '../following/follow-metrics.ts';
import { FollowState } from '../following/follow-state.ts';
import { Follower } from '../following/follower.ts';
import { KeptCheckpoints } from '../following/kept-checkpoints.ts';
import {
  checked,
  commaSeparated,
  positiveNumber,
  secondsOfDay,
  wholeNumber,
} from '../terminal/arguments.ts';
import { printable } from '../terminal/printable.ts';
import { parseAccounts, parseAddress, parseKeys, parseWebhook } from './audit-arguments.ts';

interface Options {
  readonly log: string;
  readonly key: readonly ReadKey[];
  readonly folder: string;
  readonly ledger?: readonly string[];
  readonly account?: readonly string[];
  readonly every: number;
  readonly grace: number;
  readonly maxAge?: number;
  readonly lookSeconds: number;
  readonly lookMegabytes: number;
  readonly webhook?: string;
  readonly metricsPort?: number;
  readonly metricsHost: string;
  readonly once?: boolean;
  readonly exitOnAlert?: boolean;
}

/** A log that limits requests is asked again at the next look. */
const patienceMs = 15_000;

export function addAuditFollowCommand(group: Command): void {
  group
    .command('follow')
    .description('follow the log of a service: keep its checkpoints, prove each, and raise alerts')
    .requiredOption(
      '--log <url>',
      'where the log is published, as https://HOST',
      checked(parseAddress),
    )
    .requiredOption(
      '--key <vkeys>',
      'known keys of the log (NAME+ID+KEY), separated by commas',
      checked(parseKeys),
    )
    .requiredOption('--folder <folder>', 'folder for kept checkpoints and alerts; one for each log')
    .option(
      '--ledger <urls>',
      'ledger servers (ws:// or wss://), separated by commas',
      commaSeparated,
    )
    .option(
      '--account <addresses>',
      'with --ledger: accounts that anchor checkpoints of the log, separated by commas',
      checked(parseAccounts),
    )
    .option('--every <seconds>', 'time between two looks', secondsOfDay, 60)
    .option(
      '--grace <seconds>',
      'how long a failure may last before it is an alert',
      wholeNumber,
      900,
    )
    .option(
      '--max-age <seconds>',
      'alert if no new checkpoint appears for this time; default: never',
      wholeNumber,
    )
    .option(
      '--look-seconds <seconds>',
      'greatest time of one look for reading the log, and again for the ledger',
      secondsOfDay,
      300,
    )
    .option(
      '--look-megabytes <megabytes>',
      'greatest size of all answers of one look, of the log and again of the ledger',
      positiveNumber,
      128,
    )
    .option('--webhook <url>', 'URL that alerts are posted to, as JSON', checked(parseWebhook))
    .option(
      '--metrics-port <port>',
      'serve Prometheus metrics on this port; default: none',
      wholeNumber,
    )
    .option('--metrics-host <host>', 'address to serve metrics on', '127.0.0.1')
    .option('--once', 'look once, and end')
    .option('--exit-on-alert', 'end at the first alert')
    .addHelpText('after', exitCodes)
    .action(follow);
}

const exitCodes = `
Runs until a signal ends it. The exit code is 1 if an alert lasts, 3 if something could not be checked yet, and otherwise 0.`;

async function follow(options: Options): Promise<void> {
  const { log, folder, ledger, account } = options;
  if ((ledger === undefined) !== (account === undefined)) {
    throw new Refusal('INVALID_REQUEST', '--ledger and --account need each other');
  }
  const ended = new AbortController();
  const end = () => ended.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  await using cleanUp = new AsyncDisposableStack();
  const lock = await acquireDataDirLock(folder).catch((error: unknown) => {
    if (!(error instanceof DataDirBusyError)) throw error;
    throw new Refusal(
      'INVALID_REQUEST',
      `another process follows a log in ${folder}: stop it, or choose another folder`,
    );
  });
  cleanUp.defer(() => lock.release());
  const say = (text: string) =>
    process.stderr.write(`${new Date().toISOString()} ${printable(text)}\n`);
  const kept = await KeptCheckpoints.open(join(folder, 'checkpoints'));
  const alertOptions = { folder: join(folder, 'alerts'), log, webhook: options.webhook ?? null };
  const alerts = await Alerts.open({ ...alertOptions, say });
  const state = await FollowState.open(join(folder, 'state.json'), () =>
    say(
      `${join(folder, 'state.json')} is damaged: reading the whole history of the accounts again`,
    ),
  );
  const anchors = ledger && account ? openAnchors(ledger, account, state, cleanUp) : null;
  const follower = new Follower({
    openLog: (limit) => publicLog(log, { patienceMs, limit }),
    keys: new KnownKeys(options.key),
    origins: options.key.map(({ name }) => name),
    ...{ kept, state, anchors },
    limits: { ms: options.lookSeconds * 1_000, bytes: options.lookMegabytes * 1_000_000 },
    graceMs: options.grace * 1_000,
    maxAgeMs: options.maxAge === undefined ? null : options.maxAge * 1_000,
  });
  let lookedAtMs: number | null = null;
  if (options.metricsPort !== undefined) {
    const everySeconds = options.every;
    const looks = { lookedAtMs: () => lookedAtMs, everySeconds };
    const registry = followMetrics({ kept, alerts, anchors, state, ...looks });
    const notReady = async () => (lookedAtMs === null ? ['the log was not looked at yet'] : []);
    const address = { host: options.metricsHost, port: options.metricsPort };
    const server = await startMetricsServer({ ...address, registry, notReady });
    cleanUp.defer(() => server.stop());
    say(`metrics are served on port ${server.port}`);
  }
  for (let said = ''; !ended.signal.aborted; ) {
    const found = await follower.look();
    await alerts.update(found.alerts);
    await follower.enterEpoch();
    lookedAtMs = Date.now();
    const state = stateOf(
      kept,
      found.waits.map(({ what }) => what),
    );
    if (state !== said) say(state);
    said = state;
    process.exitCode = alerts.active.length > 0 ? 1 : found.waits.length > 0 ? 3 : 0;
    if (options.once || (options.exitOnAlert && alerts.active.length > 0)) break;
    await delay(options.every * 1_000, undefined, { signal: ended.signal }).catch(() => {});
  }
}

function stateOf({ newest }: KeptCheckpoints, waits: readonly string[]): string {
  const kept =
    newest === null
      ? 'no checkpoint is kept'
      : `the newest checkpoint of ${newest.origin} covers ${newest.size} events`;
  return [kept, ...waits.map((what) => `waiting: ${what}`)].join('; ');
}

/** Watches the checkpoints that the accounts anchor on every network with a server. */
function openAnchors(
  servers: readonly string[],
  accounts: readonly string[],
  state: FollowState,
  cleanUp: Pick<AsyncDisposableStack, 'defer'>,
): AnchorWatch {
  const asked = openAskedLedger(servers, () => {});
  cleanUp.defer(() => asked.close());
  return new AnchorWatch({ state, readAnchors: openAnchorReader({ asked, servers, accounts }) });
}
