import type { LedgerNode } from '../../chain/ledger-node.ts';
import type { JsonObject } from '../../codec/json.ts';
import { isAddress } from '../../codec/ledger-keys.ts';
import type { Command, CommandContext } from '../command.ts';
import { ledgerSummary } from '../ledger-summary.ts';
import type { Request } from '../request.ts';
import { RpcError } from '../rpc-error.ts';
import { loadOf } from '../server-load.ts';
import { isStream, type Stream } from '../subscriptions.ts';

export const subscribe: Command = (context, request) => {
  const { apiVersion } = request;
  const wanted = wantedOf(request);
  for (const stream of wanted.streams) context.subscriptions.streams.set(stream, apiVersion);
  for (const account of wanted.accounts) context.subscriptions.accounts.set(account, apiVersion);
  for (const account of wanted.accountsProposed) {
    context.subscriptions.accountsProposed.set(account, apiVersion);
  }
  return {
    ...(wanted.streams.includes('ledger') ? ledgerNow(context.node) : {}),
    ...(wanted.streams.includes('server') ? serverNow(context) : {}),
  };
};

export const unsubscribe: Command = ({ subscriptions }, request) => {
  const wanted = wantedOf(request);
  for (const stream of wanted.streams) subscriptions.streams.delete(stream);
  for (const account of wanted.accounts) subscriptions.accounts.delete(account);
  for (const account of wanted.accountsProposed) subscriptions.accountsProposed.delete(account);
  return {};
};

function wantedOf({ parameters }: Request) {
  return {
    streams: streamsOf(parameters.streams),
    accounts: addressesOf(parameters.accounts),
    accountsProposed: addressesOf(parameters.accounts_proposed),
  };
}

function streamsOf(value: unknown): readonly Stream[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new RpcError('invalidParams');
  return value.map((name: unknown) => {
    if (!isStream(name)) throw new RpcError('malformedStream');
    return name;
  });
}

function addressesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new RpcError('invalidParams');
  return value.map((address: unknown) => {
    if (!isAddress(address)) throw new RpcError('actMalformed');
    return address;
  });
}

function ledgerNow(node: LedgerNode): JsonObject {
  return ledgerSummary(node.validated, node.history.completeLedgers);
}

function serverNow({ node, server }: CommandContext): JsonObject {
  const load = loadOf(node);
  return {
    hostid: server.hostId,
    load_base: 256,
    load_factor: load.factor,
    pubkey_node: server.nodeKey,
    random: server.random(),
    server_status: 'full',
    stand_alone: true,
  };
}
