import type { LedgerFees, LedgerReserve, LedgerTip, UnsupportedMajority } from './contract.ts';
import { type ChargeLimits, chargeLimitsOf } from './request-charge.ts';

/** Connection state of one server, with its present ledger and fees. */
export type ServerStatus =
  | {
      readonly state: 'connecting' | 'lost';
      readonly reason: string;
      /** True if the server was dropped because it is amendment blocked. */
      readonly amendmentBlocked?: boolean;
    }
  | { readonly state: 'refused'; readonly reason: string }
  | ({
      readonly state: 'ready';
      readonly networkId: number;
      /** Number of the connection, counted from 1 for this server. */
      readonly connection: number;
      readonly standalone: boolean;
      readonly unsupportedMajority: UnsupportedMajority | null;
      readonly tip: LedgerTip;
      /** Index of the tip at which the fees were read. */
      readonly feesAt: number;
    } & LedgerFees);

/** The part of the answer to `server_info` that is read. */
export interface ServerInfo {
  readonly info: {
    readonly network_id?: number;
    /** Set by rippled. Clio, used by most public servers, has `clio_version` instead. */
    readonly build_version?: string;
    /** Version of the rippled behind Clio. */
    readonly rippled_version?: string;
    /** Shown to administrators only; `none` if the server is no validator. */
    readonly pubkey_validator?: string;
    readonly load_factor?: number;
    /** Load of the server itself; absent if that is the `load_factor`. */
    readonly load_factor_server?: number;
    /** Set by rippled and Clio; absent unless true. */
    readonly amendment_blocked?: boolean;
    /** System-level warnings of rippled; absent if there is none. */
    readonly warnings?: readonly Warning[];
    readonly validated_ledger?: {
      readonly base_fee_xrp: number;
      readonly reserve_base_xrp?: number;
      readonly reserve_inc_xrp?: number;
    };
  };
}

interface Warning {
  readonly id: number;
  readonly details?: { readonly expected_date?: unknown };
}

/** The part of the answer to `fee` that is read. */
export interface FeeInfo {
  readonly expected_ledger_size: string;
  readonly drops?: { readonly minimum_fee?: string };
}

/** Reason that a server is not of the configured network; null if it is. */
export function foreignNetwork({ info }: ServerInfo, networkId: number): string | null {
  if (info.network_id === networkId) return null;
  return info.network_id === undefined
    ? `it reports no network_id, which must be ${networkId}: set [network_id] in its configuration`
    : `it serves network_id ${info.network_id}, but the configured network is ${networkId}`;
}

/** True if the server reports that it is the development ledger of this project. */
export function isStandalone({ info }: ServerInfo): boolean {
  return info.build_version?.startsWith('proofmark') ?? false;
}

/** Limits of our load on the server; null for its administrators, who are not charged. */
export function limitsOf({ info }: ServerInfo): ChargeLimits | null {
  if (info.pubkey_validator !== undefined) return null;
  return chargeLimitsOf(info.build_version ?? info.rippled_version);
}

/** Reason for not using a server that is amendment blocked. */
export const amendmentBlocked =
  'amendment blocked: it does not know an amendment that is active on its network; upgrade its rippled (xrpld)';

/** The server's warning of amendments that will block it; null without one. */
export function unsupportedMajorityOf({ info }: ServerInfo): UnsupportedMajority | null {
  const warnings: readonly (Warning | null)[] = Array.isArray(info.warnings) ? info.warnings : [];
  const warning = warnings.find((each) => each?.id === unsupportedMajorityWarning);
  if (!warning) return null;
  const date = warning.details?.expected_date;
  const isDate = Number.isInteger(date) && Number(date) >= 0 && Number(date) < 2 ** 32;
  return { expectedTime: isDate ? Number(date) : null };
}

/** rippled: `warnRPC_UNSUPPORTED_MAJORITY` in ErrorCodes.h. */
const unsupportedMajorityWarning = 1001;

/**
 * Fees and reserves now. `openLedgerFeeDrops` is the base fee times the load factor: the larger of
 * the server's load and the open ledger's escalation (xrpl.org, server_info). A transaction that
 * pays for the server's load can be queued, if it pays more than a full queue's cheapest one.
 * `expectedLedgerSize`
 * is the number of transactions that enter the open ledger before it escalates (xrpl.org, fee).
 *
 * Throws `UnreadableFees`.
 */
export function feesOf(serverInfo: ServerInfo, fee: FeeInfo): LedgerFees {
  const fees = readFees(serverInfo, fee);
  const { reserve, ...numbers } = fees;
  const all = [...Object.values(numbers), ...Object.values(reserve ?? {})];
  const isUsable = all.every((each) => Number.isFinite(each) && each >= 0);
  if (isUsable && Math.min(fees.baseFeeDrops, fees.openLedgerFeeDrops) >= 1) return fees;
  throw new UnreadableFees();
}

/** The server states no fees, or such as no network can have: nothing could be signed by them. */
export class UnreadableFees extends Error {
  constructor() {
    super('it does not state its fees as a server of the ledger does');
    this.name = 'UnreadableFees';
  }
}

function readFees({ info }: ServerInfo, fee: FeeInfo): LedgerFees {
  const { load_factor: loadFactor = 1, validated_ledger: ledger } = info;
  const { load_factor_server: serverLoad = loadFactor } = info;
  const baseFeeDrops = Math.round((ledger?.base_fee_xrp ?? defaultBaseFeeXrp) * dropsPerXrp);
  return {
    baseFeeDrops,
    openLedgerFeeDrops: Math.ceil(baseFeeDrops * loadFactor),
    queueFeeDrops: Math.max(
      Math.ceil(baseFeeDrops * serverLoad),
      Number(fee.drops?.minimum_fee ?? baseFeeDrops),
    ),
    expectedLedgerSize: Number(fee.expected_ledger_size),
    reserve: reserveOf(ledger),
  };
}

function reserveOf(ledger: ServerInfo['info']['validated_ledger']): LedgerReserve | null {
  const { reserve_base_xrp: base, reserve_inc_xrp: perObject } = ledger ?? {};
  if (base === undefined || perObject === undefined) return null;
  return {
    baseDrops: Math.round(base * dropsPerXrp),
    perObjectDrops: Math.round(perObject * dropsPerXrp),
  };
}

/** Only scheme and host: path, query and user of a URL may hold credentials. */
export function serverName(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

const defaultBaseFeeXrp = 0.00001;
const dropsPerXrp = 1_000_000;
