import { accountsIn, keysIn } from './parse-accounts.ts';
import { switchedOn } from './variable.ts';
import { production } from './variables.ts';

/** Finds contradictions between variables that are each valid alone. One line for each. */
export function contradictions(given: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = [];
  for (const name of ['WEBHOOK_ALLOW_HTTP', 'WEBHOOK_ALLOW_PRIVATE']) {
    if (given.NODE_ENV !== production || !switchedOn.includes(given[name] ?? '')) continue;
    problems.push(`${name}: is for development: it must not be true with NODE_ENV=production`);
  }
  const urls = ['XRPL_MAINNET_URL', 'XRPL_TESTNET_URL'];
  if (given.ROLES?.trim() === 'signer') return [...problems, ...signerContradictions(given, urls)];
  const hosted = given.DATABASE_URL !== undefined;
  if (hosted && given.MASTER_KEY === undefined) {
    problems.push('MASTER_KEY: is required with DATABASE_URL: `openssl rand -base64 32` makes one');
  }
  const runsReactor = (given.ROLES ?? 'reactor').includes('reactor');
  if (hosted && runsReactor && given.LOG_KEY === undefined) {
    problems.push(
      'LOG_KEY: is required with DATABASE_URL and the role reactor, to sign the checkpoints of the log: `openssl rand -base64 32` makes one',
    );
  }
  if (hosted && !urls.some((name) => given[name] !== undefined)) {
    problems.push(
      `${urls.join(' or ')}: is required with DATABASE_URL (\`npm run ledger\` runs a development ledger)`,
    );
  }
  for (const url of urls) {
    const accounts = url.replace('URL', 'ACCOUNTS');
    if (given[url] !== undefined && given[accounts] === undefined) {
      problems.push(`${accounts}: is required with ${url}: the accounts to anchor from`);
    }
    if (given[url] === undefined && given[accounts] !== undefined) {
      problems.push(`${url}: is required with ${accounts}: the servers to anchor through`);
    }
  }
  for (const url of urls) {
    problems.push(...checkpointContradictions(given, url));
    if (runsReactor && given.SIGNER_SOCKET === undefined) problems.push(...missingKeys(given, url));
  }
  if (given.SIGNER_SOCKET !== undefined && urls.every((name) => given[name] === undefined)) {
    problems.push('SIGNER_SOCKET: is not for the standalone ledger, whose seeds are generated');
  }
  if ((given.TSA_URL === undefined) !== (given.TSA_CERTIFICATES === undefined)) {
    problems.push(
      given.TSA_URL === undefined
        ? 'TSA_URL: is required with TSA_CERTIFICATES: the authority whose certificates these are'
        : 'TSA_CERTIFICATES: is required with TSA_URL: a PEM file of the certificates to trust',
    );
  }
  return [...problems, ...identityContradictions(given), ...sharedKeys(given)];
}

function identityContradictions(given: Readonly<Record<string, string | undefined>>): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = given;
  if (issuer !== undefined && clientId === undefined) {
    return [
      'OIDC_CLIENT_ID: is required with OIDC_ISSUER: the id under which the issuer knows this service',
    ];
  }
  const others = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'];
  const [first] = issuer === undefined ? others.filter((name) => given[name] !== undefined) : [];
  return first === undefined
    ? []
    : [`OIDC_ISSUER: is required with ${first}: the provider by which people sign in`];
}

/** A signer has the accounts with their keys, and a socket. It connects to nothing else. */
function signerContradictions(
  given: Readonly<Record<string, string | undefined>>,
  urls: readonly string[],
): string[] {
  const problems: string[] = [];
  if (given.SIGNER_SOCKET === undefined) {
    problems.push('SIGNER_SOCKET: is required with the role signer: the socket to sign on');
  }
  if (urls.every((url) => given[url.replace('URL', 'ACCOUNTS')] === undefined)) {
    problems.push(
      'XRPL_MAINNET_ACCOUNTS or XRPL_TESTNET_ACCOUNTS: is required with the role signer: the accounts to sign for',
    );
  }
  for (const name of ['DATABASE_URL', 'MASTER_KEY', 'LOG_KEY']) {
    if (given[name] === undefined) continue;
    problems.push(`${name}: is not for the role signer, which needs no database and no other key`);
  }
  for (const url of urls) {
    problems.push(...missingKeys(given, url), ...sharedByCheckpoints(given, url));
    const [accounts, own] = ['ACCOUNTS', 'CHECKPOINT_ACCOUNT'].map((end) =>
      url.replace('URL', end),
    );
    if (given[String(own)] !== undefined && given[String(accounts)] === undefined) {
      problems.push(`${accounts}: is required with ${own}: the accounts that anchor proofs`);
    }
  }
  return [...problems, ...sharedKeys(given)];
}

function sharedKeys(given: Readonly<Record<string, string | undefined>>): string[] {
  const testnet = keysIn(given.XRPL_TESTNET_ACCOUNTS, given.XRPL_TESTNET_CHECKPOINT_ACCOUNT);
  const mainnet = keysIn(given.XRPL_MAINNET_ACCOUNTS, given.XRPL_MAINNET_CHECKPOINT_ACCOUNT);
  return mainnet.some((key) => testnet.includes(key))
    ? [
        'XRPL_TESTNET_ACCOUNTS: shares a key with XRPL_MAINNET_ACCOUNTS: use different keys per network',
      ]
    : [];
}

/** Accounts for which a process that signs has no key. */
function missingKeys(given: Readonly<Record<string, string | undefined>>, url: string): string[] {
  return ['ACCOUNTS', 'CHECKPOINT_ACCOUNT'].flatMap((suffix) => {
    const name = url.replace('URL', suffix);
    const without = accountsIn(given[name]).filter(({ seed, kmsKey }) => (seed ?? kmsKey) === null);
    return without.map(
      ({ address }) =>
        `${name}: ${address} has no seed, and this process signs: write \`address:seed\` \`address:kms:key\` or \`seed\`, or let another process sign (SIGNER_SOCKET)`,
    );
  });
}

/** Checkpoints need their own account, so that checkpoints and proofs never wait for each other. */
function checkpointContradictions(
  given: Readonly<Record<string, string | undefined>>,
  url: string,
): string[] {
  const name = url.replace('URL', 'CHECKPOINT_ACCOUNT');
  const [own] = accountsIn(given[name]);
  if (own === undefined) return [];
  if (given[url] === undefined) {
    return [`${url}: is required with ${name}: the servers to anchor through`];
  }
  return sharedByCheckpoints(given, url);
}

function sharedByCheckpoints(
  given: Readonly<Record<string, string | undefined>>,
  url: string,
): string[] {
  const name = url.replace('URL', 'CHECKPOINT_ACCOUNT');
  const accounts = url.replace('URL', 'ACCOUNTS');
  const [own] = accountsIn(given[name]);
  const isShared = accountsIn(given[accounts]).some(({ address }) => address === own?.address);
  return isShared
    ? [`${name}: is one of ${accounts}: checkpoints need an account of their own`]
    : [];
}
