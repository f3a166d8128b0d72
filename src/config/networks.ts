import type { ParsedAccount } from './parse-accounts.ts';
import type { ParsedValidatorList } from './parse-addresses.ts';
import type { Secret } from './secret.ts';
import type { Variables } from './variables.ts';

/** The configured networks of the ledger. */
export interface NetworksConfig {
  readonly mainnet?: NetworkConfig;
  readonly testnet?: NetworkConfig;
}

export interface NetworkConfig {
  /** ws:// or wss://, in the order in which they are tried. A signer needs none. */
  readonly urls: readonly string[];
  readonly accounts: readonly AccountConfig[];
  /** Account that anchors the checkpoints of the log. Null: none are anchored on this network. */
  readonly checkpointAccount: AccountConfig | null;
  /** Null: the lists of the network's well-known publishers. Empty: none. */
  readonly validatorLists: readonly ParsedValidatorList[] | null;
}

/** An account to sign for, or to read. */
export interface AccountConfig {
  readonly address: string;
  /** Upper-case hex, of the account's master or regular key; null without the seed. */
  readonly publicKey: string | null;
  /** Null in a process that does not sign. */
  readonly seed: Secret<string> | null;
  /** Id, alias or ARN of a key of AWS KMS, in place of the seed. Null in a process that does not sign. */
  readonly kmsKey: string | null;
}

/** The configured networks, with keys only in a process that signs. */
export function networksOf(vars: Variables): NetworksConfig {
  const mainnet = networkOf(vars, 'MAINNET');
  const testnet = networkOf(vars, 'TESTNET');
  return { ...(mainnet && { mainnet }), ...(testnet && { testnet }) };
}

/** Null without accounts: the network is not configured. */
function networkOf(vars: Variables, name: 'MAINNET' | 'TESTNET'): NetworkConfig | null {
  const accounts = vars[`XRPL_${name}_ACCOUNTS`];
  if (accounts === undefined) return null;
  const signs = signsItself(vars);
  const kept = (account: ParsedAccount) =>
    signs ? account : { ...account, seed: null, kmsKey: null };
  const checkpointAccount = vars[`XRPL_${name}_CHECKPOINT_ACCOUNT`];
  return {
    urls: vars[`XRPL_${name}_URL`] ?? [],
    accounts: accounts.map(kept),
    checkpointAccount: checkpointAccount ? kept(checkpointAccount) : null,
    validatorLists: vars[`XRPL_${name}_VALIDATOR_LISTS`] ?? null,
  };
}

export const seedNames = [
  'XRPL_MAINNET_ACCOUNTS',
  'XRPL_TESTNET_ACCOUNTS',
  'XRPL_MAINNET_CHECKPOINT_ACCOUNT',
  'XRPL_TESTNET_CHECKPOINT_ACCOUNT',
] as const;

/** Names of the variables with seeds that this process never uses. */
export function needlessSeedsOf(vars: Variables): readonly string[] {
  return signsItself(vars) ? [] : seedNames.filter((name) => hasSeed(vars[name]));
}

/** Returns true for a process that needs the keys of the accounts. */
function signsItself({ ROLES: roles, SIGNER_SOCKET: socket }: Variables): boolean {
  return roles.includes('signer') || (roles.includes('reactor') && socket === undefined);
}

function hasSeed(accounts: ParsedAccount | readonly ParsedAccount[] = []): boolean {
  return [accounts].flat().some(({ seed }) => seed !== null);
}
