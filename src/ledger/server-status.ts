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
    } & StatedFees);

/** Fees as one server states them. */
export interface StatedFees extends Omit<LedgerFees, 'openLedgerFeeDrops'> {
  /** Null if the server does not state it. */
  readonly openLedgerFeeDrops: number | null;
}

/** The part of the answer to `server_info` that is read. */
export interface ServerInfo {
  readonly info: {
    readonly network_id?: number;
    /** Set by rippled. Clio, used by most public servers, has `clio_version` instead. */
    readonly build_version?: string;
    /** Version of the rippled behind Clio; absent if that one did not answer Clio. */
    readonly rippled_version?: string;
    /** Shown to administrators only; `none` if the server is no validator. */
    readonly pubkey_validator?: string;
    /** Clio forwards it from its rippled, and states 1 if that one did not answer. */
    readonly load_factor?: number;
    /** Load of the server itself. rippled omits it if that is the `load_factor`, Clio always. */
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
  readonly drops?: { readonly minimum_fee?: string; readonly open_ledger_fee?: string };
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
 * Fees and reserves now. `openLedgerFeeDrops` is the larger of two statements: the base fee times the
 * load factor, which includes the server's own load, and `open_ledger_fee`, which does not (xrpl.org).
 * A transaction that pays for the server's load can be queued, if it pays more than a full queue's
 * cheapest one. `expectedLedgerSize` is the number of transactions that enter the open ledger before
 * it escalates (xrpl.org, fee).
 *
 * Throws `UnreadableFees`.
 */
export function feesOf(serverInfo: ServerInfo, fee: FeeInfo): StatedFees {
  const fees = readFees(serverInfo, fee);
  const { reserve, openLedgerFeeDrops, ...numbers } = fees;
  const positive = [fees.baseFeeDrops, openLedgerFeeDrops ?? 1];
  const all = [...positive, ...Object.values(numbers), ...Object.values(reserve ?? {})];
  const isUsable = all.every((each) => Number.isFinite(each) && each >= 0);
  if (isUsable && Math.min(...positive) >= 1) return fees;
  throw new UnreadableFees();
}

/** The server states no fees, or such as no network can have: nothing could be signed by them. */
export class UnreadableFees extends Error {
  constructor() {
    super('it does not state its fees as a server of the ledger does');
    this.name = 'UnreadableFees';
  }
}

function readFees({ info }: ServerInfo, { drops, ...fee }: FeeInfo): StatedFees {
  const { validated_ledger: ledger } = info;
  const baseFeeDrops = Math.round((ledger?.base_fee_xrp ?? defaultBaseFeeXrp) * dropsPerXrp);
  const { total, own } = loadOf(info);
  const feeAt = (factor: number) => Math.ceil(baseFeeDrops * factor);
  const openLedgerFees = [
    ...(total === undefined ? [] : [feeAt(total)]),
    ...(drops?.open_ledger_fee === undefined ? [] : [Number(drops.open_ledger_fee)]),
  ];
  return {
    baseFeeDrops,
    openLedgerFeeDrops: openLedgerFees.length === 0 ? null : Math.max(...openLedgerFees),
    queueFeeDrops: Math.max(feeAt(own ?? 1), Number(drops?.minimum_fee ?? baseFeeDrops)),
    expectedLedgerSize: Number(fee.expected_ledger_size),
    reserve: reserveOf(ledger),
  };
}

/** Load factors of one server; undefined if it does not state them. */
interface Load {
  /** Includes the open ledger's escalation. */
  readonly total: number | undefined;
  readonly own: number | undefined;
}

function loadOf(info: ServerInfo['info']): Load {
  const { load_factor: total, load_factor_server: own } = info;
  const isClio = info.build_version === undefined;
  if (!isClio) return { total, own: own ?? total };
  return { total: info.rippled_version === undefined ? undefined : total, own };
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
