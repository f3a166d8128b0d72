import { join } from 'node:path';

/** Settings of a rippled without peers, which closes a ledger on `ledger_accept` only. */
export interface RippledSettings {
  /** Folder of its databases and its log. */
  readonly folder: string;
  /** Port for administrators, whose requests are not charged. */
  readonly port: number;
  /** Port for strangers, whose requests are charged. Absent: there is none. */
  readonly publicPort?: number;
  /** Transactions that an open ledger takes at the base fee. */
  readonly openLedgerLimit: number;
  /** Maximum of that limit, which grows with the traffic. Absent: none. */
  readonly openLedgerMaximum?: number;
  /** `memory` loses the ledgers at the end of the process. */
  readonly nodeStore: 'memory' | 'NuDB';
}

/** Text of the configuration file. */
export function rippledConfiguration(settings: RippledSettings): string {
  const { folder, port, publicPort, openLedgerLimit, openLedgerMaximum, nodeStore } = settings;
  const databases = join(folder, 'db');
  const listening = (own: number) => `port = ${own}\nip = 127.0.0.1\nprotocol = ws`;
  const sections = {
    server: publicPort === undefined ? 'own' : 'own\nstrangers',
    own: `${listening(port)}\nadmin = 127.0.0.1`,
    ...(publicPort === undefined ? {} : { strangers: listening(publicPort) }),
    network_id: '1',
    node_db: `type = ${nodeStore}\npath = ${join(databases, 'node')}`,
    database_path: databases,
    debug_logfile: join(folder, 'debug.log'),
    ledger_history: 'full',
    ssl_verify: '0',
    transaction_queue: [
      `minimum_txn_in_ledger = ${openLedgerLimit}`,
      `minimum_txn_in_ledger_standalone = ${openLedgerLimit}`,
      ...(openLedgerMaximum === undefined ? [] : [`maximum_txn_in_ledger = ${openLedgerMaximum}`]),
    ].join('\n'),
  };
  return Object.entries(sections)
    .map(([name, lines]) => `[${name}]\n${lines}\n`)
    .join('\n');
}
