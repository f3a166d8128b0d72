import { readFile } from 'node:fs/promises';
import { parseOrigin } from '../../../src/domain/log/origin.ts';
import { type Network, networks } from '../../../src/domain/network.ts';
import { OperatorError } from '../../../src/errors/operator-error.ts';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { readCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { printable } from '../../terminal/printable.ts';
import type { KnownKeys } from '../checkpoints/known-keys.ts';
import type { Findings } from '../findings/findings.ts';
import type { AnchoringAccount, LogHistory } from '../history/log-history.ts';
import type { AskedLedger } from './ask-ledgers.ts';
import { type AccountCheckpoints, readLedgerCheckpoints } from './ledger-checkpoints.ts';
import type { OutsideCheckpoint } from './outside-checkpoint.ts';

interface Outside {
  /** Null if no ledger is asked. */
  readonly asked: Pick<AskedLedger, 'networks'> | null;
  /** Accounts that anchor checkpoints, as the auditor knows them; empty if none were named. */
  readonly accounts: readonly string[];
  /** Accounts of the configuration. */
  readonly configured: readonly AnchoringAccount[];
  /** Files with a signed checkpoint each. */
  readonly files: readonly string[];
  readonly findings: Findings;
}

/** Checkpoints from outside that were compared. */
export interface OutsideCounts {
  /** Of validated ledgers. */
  readonly onLedger: number;
  /** Of the auditor's files. */
  readonly inFiles: number;
}

type Trusted = Pick<KnownKeys, 'hasSigned'>;

/** A larger file is not a checkpoint. */
const mostBytes = 65_536;

/** Reads the checkpoints of a log that others keep: validated ledgers, and auditors in files. */
export class OutsideReader {
  readonly #outside: Outside;
  readonly #notCompared: string[] = [];
  #onLedger = 0;
  #inFiles = 0;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** Checkpoints that were compared with the log. */
  get compared(): OutsideCounts {
    return { onLedger: this.#onLedger, inFiles: this.#inFiles };
  }

  /** Comparisons that were not made, a line each. */
  get notCompared(): readonly string[] {
    return this.#notCompared;
  }

  /** As `ReadOutside`. */
  async read(
    history: Pick<LogHistory, 'logId' | 'accounts'>,
    known: Trusted | null,
  ): Promise<readonly OutsideCheckpoint[]> {
    const onLedger = await this.#readLedgers(history);
    const inFiles = await this.#readFiles(known);
    this.#onLedger = onLedger.length;
    this.#inFiles = inFiles.length;
    return [...onLedger, ...inFiles];
  }

  async #readLedgers({ logId, accounts }: Pick<LogHistory, 'logId' | 'accounts'>) {
    const { asked, accounts: named, configured } = this.#outside;
    if (asked === null) return [];
    const recorded = [...configured, ...accounts];
    const all = new Set([...named, ...recorded.map(({ account }) => account)]);
    if (all.size === 0) {
      this.#notCompared.push(
        'the checkpoints on the ledger: the log names no account that anchors them. Name it with --account',
      );
      return [];
    }
    if (named.length === 0) {
      this.#notCompared.push(
        'checkpoints of other accounts than those in the log (no --account): a log that hides its account is not noticed',
      );
    }
    const { gateways, unreached } = await asked.networks();
    for (const server of unreached) {
      this.#unchecked(
        `the checkpoints on the ledger of ${server}: this server of --ledger cannot be used. Audit again later, or name another server of its network`,
      );
    }
    this.#listUnasked(gateways, unreached);
    const found: OutsideCheckpoint[] = [];
    const others = new Map<string, number>();
    const histories = await this.#readAccounts(gateways, all);
    this.#reportMissing(histories, recorded, accounts);
    for (const one of histories.flatMap(({ checkpoints }) => checkpoints)) {
      if (parseOrigin(one.origin)?.logId === logId) found.push(one);
      else others.set(one.origin, (others.get(one.origin) ?? 0) + 1);
    }
    for (const [origin, count] of others) {
      this.#notCompared.push(
        `${count} checkpoints on the ledger: they belong to another log, ${printable(origin)}`,
      );
    }
    // A log that was written anew as a whole may have another name.
    if (named.length > 0 && found.length === 0 && others.size > 0) {
      this.#unchecked(
        'the checkpoints on the ledger: those that the accounts of --account anchored all belong to other logs. If you noted these accounts for this log, it was written anew under another name. Otherwise name its own accounts',
      );
    }
    return found;
  }

  /** A server that cannot be used may be of any network. */
  #listUnasked(gateways: readonly LedgerGateway[], unreached: readonly string[]): void {
    if (unreached.length > 0) return;
    const unasked = networks.filter((one) => gateways.every(({ network }) => network !== one));
    for (const network of unasked) {
      this.#notCompared.push(`the checkpoints on ${network}: no server of --ledger serves it`);
    }
  }

  /** Asks for every account on every network: a log may record an account of the wrong network. */
  async #readAccounts(gateways: readonly LedgerGateway[], accounts: ReadonlySet<string>) {
    const histories: AccountHistory[] = [];
    for (const gateway of gateways) {
      for (const account of accounts) {
        const what = `the checkpoints that ${account} anchored on ${gateway.name()}`;
        const read = () => readLedgerCheckpoints(gateway, account);
        const found = await this.#outside.findings.attempt({ in: 'ledger', what }, read, null);
        if (found !== null) histories.push({ ...found, account, network: gateway.network, what });
      }
    }
    return histories;
  }

  /** An account is usually of one network. Others need not have its first ledgers. */
  #reportMissing(
    histories: readonly AccountHistory[],
    recorded: readonly AnchoringAccount[],
    ofLog: readonly AnchoringAccount[],
  ): void {
    for (const one of histories) {
      const { account, isUsed, missingBefore, what } = one;
      if (missingBefore === null) continue;
      const isNamed = this.#outside.accounts.includes(account);
      const isOfLog = ofLog.some((other) => mayBeOf(other, one));
      const isRecordedHere = recorded.some((other) => mayBeOf(other, one));
      // Only the configuration names it, which is as of now: it may not have been funded yet.
      if (missingBefore === 0 && isRecordedHere && !isOfLog && !isNamed) {
        this.#notCompared.push(
          `${what}: the account does not exist there yet, and the log has no checkpoint that it signed`,
        );
        continue;
      }
      const why =
        missingBefore === 0
          ? `${what}: the server does not know the account`
          : `${what} before ledger ${missingBefore}: the server has no earlier ledgers`;
      const isUsedElsewhere = histories.some((other) => other.isUsed && other.account === account);
      if (!isUsed && !isRecordedHere && (isUsedElsewhere || !isNamed)) {
        this.#notCompared.push(`${why}, and the account is of another network`);
      } else this.#unchecked(`${why}. Name a server with full history with --ledger`);
    }
  }

  async #readFiles(known: Trusted | null) {
    const found: OutsideCheckpoint[] = [];
    for (const file of this.#outside.files) {
      const what = `the checkpoint in ${file}`;
      const one = await this.#outside.findings.attempt(
        { in: 'checkpoints', what },
        () => readFileOf(file, what, known),
        null,
      );
      if (one !== null) found.push(one);
    }
    return found;
  }

  #unchecked(what: string): void {
    this.#outside.findings.reportUnchecked({ in: 'ledger', position: null, column: null, what });
  }
}

/** Transactions of an account on one network. */
interface AccountHistory extends AccountCheckpoints {
  readonly account: string;
  readonly network: Network;
  /** Name in findings. */
  readonly what: string;
}

function mayBeOf(recorded: AnchoringAccount, { account, network }: AccountHistory): boolean {
  return recorded.account === account && (recorded.network ?? network) === network;
}

async function readFileOf(
  file: string,
  name: string,
  known: Trusted | null,
): Promise<OutsideCheckpoint> {
  const note = (await readFile(file)).subarray(0, mostBytes).toString('utf8');
  const checkpoint = readCheckpoint(note);
  if (checkpoint === null) {
    throw new OperatorError(
      'the file is not a checkpoint. Keep the answer of GET /log/checkpoint as it is',
    );
  }
  if (known?.hasSigned(note) === false) {
    throw new OperatorError('it is not signed with a known key of the log');
  }
  return { in: 'checkpoints', ...checkpoint, name };
}
