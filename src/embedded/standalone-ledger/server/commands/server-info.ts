import { baseLevel } from '../../chain/fee-metrics.ts';
import type { LedgerNode } from '../../chain/ledger-node.ts';
import type { JsonObject } from '../../codec/json.ts';
import { humanTime, rippleSeconds, serverTime } from '../../codec/ripple-time.ts';
import { baseFeeDrops, reserveBaseDrops, reserveIncrementDrops } from '../../engine/fees.ts';
import type { Command } from '../command.ts';
import type { ServerIdentity } from '../server-identity.ts';
import { loadOf } from '../server-load.ts';

const dropsPerXrp = 1_000_000;
const levels = Number(baseLevel);

export const serverInfo: Command = ({ node, server, isAdministrator }) => {
  const load = loadOf(node);
  const { header, hash } = node.validated;
  return {
    info: {
      ...shared(node, server),
      ...amendmentWarning(node),
      ...(isAdministrator ? { pubkey_validator: 'none' } : {}),
      hostid: server.hostId,
      last_close: { converge_time_s: 0.1, proposers: 0 },
      load_factor: load.factor / levels,
      ...(load.server === load.factor ? {} : { load_factor_server: load.server / levels }),
      ...(load.escalation === levels || load.escalation === load.factor
        ? {}
        : { load_factor_fee_escalation: load.escalation / levels }),
      ...(load.queue === levels ? {} : { load_factor_fee_queue: load.queue / levels }),
      validated_ledger: {
        age: Math.max(0, rippleSeconds(server.clock()) - header.closeTime),
        base_fee_xrp: Number(baseFeeDrops) / dropsPerXrp,
        hash,
        reserve_base_xrp: Number(reserveBaseDrops) / dropsPerXrp,
        reserve_inc_xrp: Number(reserveIncrementDrops) / dropsPerXrp,
        seq: header.ledgerIndex,
      },
    },
  };
};

export const serverState: Command = ({ node, server, isAdministrator }) => {
  const load = loadOf(node);
  const { header, hash } = node.validated;
  return {
    state: {
      ...shared(node, server),
      ...amendmentWarning(node),
      ...(isAdministrator ? { pubkey_validator: 'none' } : {}),
      last_close: { converge_time: 100, proposers: 0 },
      load_base: levels,
      load_factor: load.factor,
      load_factor_fee_escalation: load.escalation,
      load_factor_fee_queue: load.queue,
      load_factor_fee_reference: levels,
      load_factor_server: load.server,
      validated_ledger: {
        base_fee: Number(baseFeeDrops),
        close_time: header.closeTime,
        hash,
        reserve_base: Number(reserveBaseDrops),
        reserve_inc: Number(reserveIncrementDrops),
        seq: header.ledgerIndex,
      },
    },
  };
};

/** As in rippled's `getServerInfo` (NetworkOPs.cpp), to an administrator. */
function amendmentWarning({ amendmentLack: lack }: LedgerNode): JsonObject {
  if (lack === null) return {};
  if (lack.status === 'blocked') {
    const message = 'This server is amendment blocked.';
    return { amendment_blocked: true, warnings: [{ id: 1002, message }] };
  }
  const { expectedTime: expected } = lack;
  const warning = { id: 1001, message: 'Unsupported amendments have reached majority.' };
  if (expected === null) return { warnings: [warning] };
  const details = { expected_date: expected, expected_date_UTC: humanTime(expected) };
  return { warnings: [{ ...warning, details }] };
}

function shared(node: LedgerNode, server: ServerIdentity): JsonObject {
  const now = server.clock();
  const upMs = Math.max(0, now - server.startedMs);
  const state = (duration: number, transitions: string) => ({
    duration_us: String(duration),
    transitions,
  });
  return {
    build_version: server.buildVersion,
    complete_ledgers: node.history.completeLedgers,
    initial_sync_duration_us: '0',
    io_latency_ms: 1,
    jq_trans_overflow: '0',
    network_id: node.options.networkId,
    peer_disconnects: '0',
    peer_disconnects_resources: '0',
    peers: 0,
    ports: [{ port: String(server.port), protocol: ['ws'] }],
    pubkey_node: server.nodeKey,
    server_state: 'full',
    server_state_duration_us: String(upMs * 1000),
    state_accounting: {
      connected: state(0, '0'),
      disconnected: state(0, '1'),
      full: state(upMs * 1000, '1'),
      syncing: state(0, '0'),
      tracking: state(0, '0'),
    },
    time: serverTime(now),
    uptime: Math.floor(upMs / 1000),
    validation_quorum: 0,
  };
}
