import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../../src/config.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { defaultWaits } from '../../src/reactors/attesting/ledger-pace.ts';
import { maxChain } from '../../src/verifier/evidence/limits.ts';
import { type Completed, completeLedgers } from '../ledger/complete-ledgers.ts';
import { type Completion, completedInWords } from '../ledger/completed-in-words.ts';
import { findUnattested, type LedgersOfChain } from '../ledger/find-unattested.ts';
import { networkUrls } from '../ledger/ledger-gateways.ts';
import { openLedgerHistory } from '../ledger/ledger-history.ts';
import { maxLinks } from '../ledger/max-links.ts';
import { operation } from '../session/operation.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import { checked, commaSeparated, wholeNumber } from '../terminal/arguments.ts';
import { errorMessage } from '../terminal/error-message.ts';
import { openProgressLine } from '../terminal/progress-line.ts';

interface Options {
  readonly ledger?: readonly string[];
  readonly most: number;
}

export function addLedgerCompleteCommand(group: Command): void {
  const complete = group
    .command('complete')
    .description("link older ledgers with proofs to attested ones, from the ledger's history")
    .option(
      '--ledger <urls>',
      'servers (ws:// or wss://) with the history, separated by commas; default: the configured ones',
      checked(parseServers),
    )
    .option(
      '--most <n>',
      `maximum number of headers between a ledger and the later ledger whose validations attest it; ${maxLinks} at most`,
      parseMost,
      maxChain,
    )
    .addHelpText('after', explanation);
  operation<[], Options>(complete, async (session, _args, options) => {
    const completion = await completeAll(session, options);
    if (completion.isAtFault) process.exitCode = 1;
    return { json: completion, text: completedInWords(completion) };
  });
}

/** Longer than the service waits for validations of a ledger. */
const graceMs = 2 * defaultWaits.graceMs;

const explanation = `
Nothing is written twice: after an interruption, run the command again to go on where it stopped.
The exit code is 1 if history is missing or contradicts the log, otherwise 0.`;

function parseServers(text: string): readonly string[] {
  const urls = commaSeparated(text);
  const wrong = urls.find((url) => !/^wss?:$/.test(URL.parse(url)?.protocol ?? ''));
  if (wrong === undefined) return urls;
  throw new Refusal('INVALID_REQUEST', `${wrong} is not a WebSocket URL (ws:// or wss://)`);
}

function parseMost(text: string): number {
  const most = wholeNumber(text);
  if (most <= maxLinks) return most;
  throw new InvalidArgumentError(
    `It must be ${maxLinks} at most: ops audit verify refuses longer chains of headers.`,
  );
}

/** Chains one after the other. A chain whose servers give no answer does not stop the others. */
async function completeAll(
  session: OperatorSession,
  { ledger: named, most }: Options,
): Promise<Completion> {
  const configured = named === undefined ? await networkUrls(loadConfig(process.env)) : null;
  const line = openProgressLine('events');
  const chains = await findUnattested(session.store, (position, head) =>
    line.update('reading the log', position, head),
  ).finally(() => line.end());
  const results: Completed[] = [];
  const troubles: string[] = [];
  for (const chain of chains) {
    if (chain.unattested.size === 0) continue;
    const urls = named ?? configured?.get(chain.network) ?? [];
    try {
      if (urls.length === 0) throw new OperatorError(`no server of ${chain.network} is configured`);
      results.push(await completeChain(session, chain, { urls, most }));
    } catch (error) {
      troubles.push(`${chain.ledgerId}: ${errorMessage(error)}`);
    }
  }
  const isAtFault =
    troubles.length > 0 ||
    results.some(({ withoutHistory, faults }) => withoutHistory.length + faults.length > 0);
  return { chains: results, troubles, most, isAtFault };
}

async function completeChain(
  { store, cancelled }: OperatorSession,
  chain: LedgersOfChain,
  { urls, most }: { readonly urls: readonly string[]; readonly most: number },
): Promise<Completed> {
  const history = openLedgerHistory(urls);
  const line = openProgressLine('headers');
  try {
    return await completeLedgers(chain, {
      store,
      history,
      mostHeaders: most,
      graceMs,
      onHeaders: (done, total) => line.update('asking for headers', done, total),
      cancelled,
    });
  } finally {
    line.end();
    history.close();
  }
}
