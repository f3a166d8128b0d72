import type { Command } from './command.ts';
import { accountInfo } from './commands/account-info.ts';
import { accountObjects } from './commands/account-objects.ts';
import { accountTx } from './commands/account-tx.ts';
import { fee } from './commands/fee.ts';
import { ledger, ledgerClosed, ledgerCurrent } from './commands/ledger.ts';
import { manifest } from './commands/manifest.ts';
import { serverInfo, serverState } from './commands/server-info.ts';
import { submit } from './commands/submit.ts';
import { subscribe, unsubscribe } from './commands/subscribe.ts';
import { tx } from './commands/tx.ts';

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['account_info', accountInfo],
  ['account_objects', accountObjects],
  ['account_tx', accountTx],
  ['fee', fee],
  ['ledger', ledger],
  ['ledger_closed', ledgerClosed],
  ['ledger_current', ledgerCurrent],
  ['manifest', manifest],
  ['ping', () => ({})],
  ['server_info', serverInfo],
  ['server_state', serverState],
  ['submit', submit],
  ['subscribe', subscribe],
  ['tx', tx],
  ['unsubscribe', unsubscribe],
]);
