import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { inspect } from 'node:util';
import { deriveAddress, deriveKeypair, generateSeed } from 'ripple-keypairs';
import { test } from 'tap';
import { ConfigError } from '../src/config/config-error.ts';
import { loadConfig } from '../src/config.ts';

const genesis = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const masterKey = randomBytes(32).toString('base64');
const logKey = randomBytes(32).toString('base64');
const seed = generateSeed();
const hosted = {
  DATABASE_URL: 'postgres://proofmark:hunter2@db:5432/proofmark',
  MASTER_KEY: masterKey,
  LOG_KEY: logKey,
  XRPL_TESTNET_URL: 'wss://s.altnet.rippletest.net:51233',
  XRPL_TESTNET_ACCOUNTS: seed,
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('without variables everything has its default, with embedded services', async (t) => {
  const config = loadConfig({});
  t.match(config, {
    host: '127.0.0.1',
    port: 3000,
    publicUrl: null,
    databaseUrl: null,
    masterKey: null,
    logKeys: null,
    checkpointIntervalMs: 2_000,
    networks: {},
    roles: ['api', 'projector', 'reactor'],
    maxUploadBytes: 104_857_600,
    certificateThreads: 1,
    callThreads: 2,
    trustProxy: [],
    records: { clientAddress: 'off', operator: true, operatorName: null },
    addressRequestsPerMinute: 600,
    itemsPerDay: 10_000,
    proofWaitMs: 45_000,
    ledgerLoadPercent: 100,
    standaloneCloseMs: 1_000,
    logLevel: 'info',
    maxFeeDrops: 1_000,
    checkpointAnchorIntervalMs: 3_600_000,
    webhooks: { allowHttp: false, allowPrivate: false, ports: null },
    metrics: { host: '127.0.0.1', port: 9464, isRequired: false },
    tracing: null,
  });
  t.equal(config.dataDir, `${process.cwd()}/var`);
  t.equal(config.storageUrl, `file://${process.cwd()}/var/files`);
  t.strictSame(loadConfig({ PORT: '', ROLES: '', DATABASE_URL: '' }), config, 'empty means absent');
});

test('the log has several keys while one is replaced, and none if it signs nothing', async (t) => {
  const other = randomBytes(32).toString('base64');
  const keys = loadConfig({ ...hosted, LOG_KEY: `${logKey}, ${other}` }).logKeys;
  t.strictSame(
    keys?.map((key) => key.reveal().toString('base64')),
    [logKey, other],
  );
  t.equal(loadConfig({ ...hosted, LOG_KEY: '', ROLES: 'api,projector' }).logKeys, null);
});

test('reads a hosted configuration and parses its lists', async (t) => {
  const config = loadConfig({
    ...hosted,
    PORT: '0',
    PUBLIC_URL: 'https://proofs.example/',
    XRPL_TESTNET_URL: 'wss://one.example, ws://two.example:6006',
    XRPL_TESTNET_ACCOUNTS: `${seed}, ${genesis}:${generateSeed()}`,
    ROLES: 'api,projector',
    STORAGE_URL: 's3://bucket/prefix?endpoint=https://minio:9000&region=eu',
  });
  t.equal(config.port, 0);
  t.equal(config.publicUrl, 'https://proofs.example');
  t.equal(config.databaseUrl?.reveal(), hosted.DATABASE_URL);
  t.same(config.masterKey?.reveal(), Buffer.from(masterKey, 'base64'));
  t.strictSame(config.networks.testnet?.urls, ['wss://one.example', 'ws://two.example:6006']);
  const accounts = config.networks.testnet?.accounts ?? [];
  t.strictSame(
    accounts.map(({ address }) => address),
    [deriveAddress(deriveKeypair(seed).publicKey), genesis],
  );
  t.strictSame(config.roles, ['api', 'projector']);
  t.equal(config.networks.mainnet, undefined);
  t.equal(config.networks.testnet?.checkpointAccount, null);
});

test('the operator may state who runs the service', async (t) => {
  const none = { name: null, contact: null, imprintUrl: null, privacyUrl: null };
  t.strictSame(loadConfig({}).operator, none);
  const stated = loadConfig({
    OPERATOR_NAME: 'Ørsted & Söhne <Notare>',
    OPERATOR_CONTACT: 'help@proofs.example',
    OPERATOR_IMPRINT_URL: 'https://proofs.example/imprint',
    OPERATOR_PRIVACY_URL: 'https://proofs.example/privacy?lang=en',
  });
  t.strictSame(stated.operator, {
    name: 'Ørsted & Söhne <Notare>',
    contact: 'mailto:help@proofs.example',
    imprintUrl: 'https://proofs.example/imprint',
    privacyUrl: 'https://proofs.example/privacy?lang=en',
  });
  const page = loadConfig({ OPERATOR_CONTACT: 'https://proofs.example/help' });
  t.equal(page.operator.contact, 'https://proofs.example/help');
  for (const [name, values] of [
    ['OPERATOR_NAME', [' padded', 'x'.repeat(101), 'two\nlines', 'turned \u202e around']],
    ['OPERATOR_CONTACT', ['help', 'javascript:alert(1)', 'a@b c', 'ftp://proofs.example']],
    ['OPERATOR_IMPRINT_URL', ['imprint', 'javascript:alert(1)', 'https://user:pw@proofs.example']],
    ['OPERATOR_PRIVACY_URL', ['data:text/html,x', `https://proofs.example/${'x'.repeat(500)}`]],
  ] as const) {
    for (const value of values) {
      t.throws(() => loadConfig({ [name]: value }), new RegExp(`${name}: must`), value);
    }
  }
});

test('checkpoints have an account of their own', async (t) => {
  const own = generateSeed();
  const named = { ...hosted, XRPL_TESTNET_CHECKPOINT_ACCOUNT: own };
  const { checkpointAccount } = loadConfig(named).networks.testnet ?? {};
  t.equal(checkpointAccount?.seed?.reveal(), own);
  const regular = { ...named, XRPL_TESTNET_CHECKPOINT_ACCOUNT: `${genesis}:${own}` };
  t.equal(loadConfig(regular).networks.testnet?.checkpointAccount?.address, genesis);
  t.notMatch(JSON.stringify(loadConfig(named)), own);
});

test('only a process that signs needs seeds, and no other one keeps them', async (t) => {
  const ownAddress = deriveAddress(deriveKeypair(seed).publicKey);
  const XRPL_TESTNET_CHECKPOINT_ACCOUNT = generateSeed();
  const signing = loadConfig({ ...hosted, XRPL_TESTNET_CHECKPOINT_ACCOUNT });
  t.equal(signing.networks.testnet?.accounts[0]?.seed?.reveal(), seed);
  t.strictSame(signing.needlessSeeds, []);

  const api = { ...hosted, ROLES: 'api,projector' };
  const given = loadConfig({ ...api, XRPL_TESTNET_CHECKPOINT_ACCOUNT });
  t.match(given.networks.testnet, {
    accounts: [{ address: ownAddress, publicKey: deriveKeypair(seed).publicKey, seed: null }],
    checkpointAccount: { seed: null },
  });
  t.strictSame(given.needlessSeeds, ['XRPL_TESTNET_ACCOUNTS', 'XRPL_TESTNET_CHECKPOINT_ACCOUNT']);

  const addresses = { XRPL_TESTNET_ACCOUNTS: `${ownAddress},${genesis}` };
  const bare = loadConfig({ ...api, ...addresses });
  t.strictSame(bare.networks.testnet?.accounts, [
    { address: ownAddress, publicKey: null, seed: null, kmsKey: null },
    { address: genesis, publicKey: null, seed: null, kmsKey: null },
  ]);
  t.strictSame(bare.needlessSeeds, []);
});

test('another process or a key service may hold the keys', async (t) => {
  const socket = { SIGNER_SOCKET: '/run/proofmark/signer.sock' };
  const remote = loadConfig({ ...hosted, ...socket, XRPL_TESTNET_ACCOUNTS: genesis });
  t.match(remote, { signerSocket: '/run/proofmark/signer.sock', needlessSeeds: [] });
  const needless = loadConfig({ ...hosted, ...socket });
  t.match(needless.networks.testnet?.accounts, [{ seed: null }]);
  t.strictSame(needless.needlessSeeds, ['XRPL_TESTNET_ACCOUNTS']);

  const arn = 'arn:aws:kms:eu-central-1:111122223333:key/mrk-1234';
  const inKms = loadConfig({ ...hosted, XRPL_TESTNET_ACCOUNTS: `${genesis}:kms:${arn}` });
  t.match(inKms.networks.testnet?.accounts, [{ address: genesis, seed: null, kmsKey: arn }]);

  const signer = { ROLES: 'signer', ...socket, XRPL_TESTNET_ACCOUNTS: seed };
  t.match(loadConfig(signer), {
    roles: ['signer'],
    networks: { testnet: { urls: [], accounts: [{ seed: { reveal: Function } }] } },
    signaturesPerMinute: 60_000,
  });
});

test('lists of validators have an address and the key of their publisher', async (t) => {
  const key = `ED${'2F'.repeat(32)}`;
  const listsOf = (text: string) =>
    loadConfig({ ...hosted, XRPL_TESTNET_VALIDATOR_LISTS: text }).networks.testnet?.validatorLists;
  t.equal(listsOf(''), null, 'by default those of the well-known publishers');
  t.strictSame(listsOf('none'), []);
  t.strictSame(
    listsOf(`https://vl.example?a=b=${key.toLowerCase()}, file:///etc/list.json=${key}`),
    [
      { url: 'https://vl.example/?a=b', publisherKey: key },
      { url: 'file:///etc/list.json', publisherKey: key },
    ],
  );
  for (const text of ['https://vl.example', `ftp://vl.example=${key}`, 'https://vl.example=ED00']) {
    t.throws(() => listsOf(text), /XRPL_TESTNET_VALIDATOR_LISTS: must be https:/, text);
  }
});

test('a time-stamping authority has a URL and certificates to trust', async (t) => {
  t.equal(loadConfig({}).timestampAuthority, null);
  const key = generateKeyPairSync('ed25519').privateKey;
  const pem = key.export({ type: 'pkcs8', format: 'pem' });
  const folder = t.testdir({
    ...{ empty: '', 'key.pem': pem, url: 'https://user:hidden@tsa.example\n' },
    'roots.pem': rootCertificates.slice(0, 2).join('\n'),
  });
  const TSA_CERTIFICATES = join(folder, 'roots.pem');
  const given = { TSA_URL: 'https://user:hidden@tsa.example', TSA_CERTIFICATES };
  const { timestampAuthority } = loadConfig(given);
  t.equal(timestampAuthority?.url.reveal(), 'https://user:hidden@tsa.example/');
  t.notMatch(JSON.stringify(timestampAuthority), /hidden/);
  t.equal(timestampAuthority?.roots.length, 2);
  const fromFile = loadConfig({ TSA_URL_FILE: join(folder, 'url'), TSA_CERTIFICATES });
  t.equal(fromFile.timestampAuthority?.url.reveal(), 'https://user:hidden@tsa.example/');
  const wrong = (env: Record<string, string>, message: RegExp) =>
    t.throws(() => loadConfig({ ...given, ...env }), message);
  wrong({ TSA_URL: '' }, /TSA_URL: is required with TSA_CERTIFICATES/);
  wrong({ TSA_CERTIFICATES: '' }, /TSA_CERTIFICATES: is required with TSA_URL/);
  wrong({ TSA_URL: 'ftp://tsa.example' }, /TSA_URL: must be a URL like https:/);
  wrong({ TSA_URL: 'https://user:100%@tsa.example' }, /TSA_URL: .* with % as %25 in user/);
  wrong(
    { TSA_CERTIFICATES: join(folder, 'none') },
    /TSA_CERTIFICATES: .* cannot be read \(ENOENT\)/,
  );
  for (const name of ['empty', 'key.pem']) {
    wrong({ TSA_CERTIFICATES: join(folder, name) }, /TSA_CERTIFICATES: .* no certificate in PEM/);
  }
});

test('an identity provider has an issuer and a client, and its secret does not show', async (t) => {
  t.equal(loadConfig({}).identityProvider, null);
  const folder = t.testdir({ secret: 'hidden secret\n' });
  const given = { OIDC_ISSUER: 'https://accounts.example/tenant/', OIDC_CLIENT_ID: 'proofmark' };
  const OIDC_CLIENT_SECRET_FILE = join(folder, 'secret');
  const { identityProvider } = loadConfig({ ...given, OIDC_CLIENT_SECRET_FILE });
  t.match(identityProvider, { issuer: given.OIDC_ISSUER, name: 'accounts.example' });
  t.equal(identityProvider?.clientSecret?.reveal(), 'hidden secret');
  t.notMatch(JSON.stringify(identityProvider) + inspect(identityProvider), /hidden/);
  t.equal(loadConfig({ ...given, OIDC_NAME: 'Example' }).identityProvider?.name, 'Example');
  t.equal(
    loadConfig({ ...given, OIDC_ISSUER: 'http://localhost:9' }).identityProvider?.clientSecret,
    null,
  );
  const wrong = (env: Record<string, string>, message: RegExp) =>
    t.throws(() => loadConfig({ ...given, ...env }), message);
  wrong({ OIDC_CLIENT_ID: '' }, /OIDC_CLIENT_ID: is required with OIDC_ISSUER/);
  wrong({ OIDC_ISSUER: '' }, /OIDC_ISSUER: is required with OIDC_CLIENT_ID/);
  wrong({ OIDC_ISSUER: 'http://accounts.example' }, /OIDC_ISSUER: must begin with https:/);
  for (const issuer of ['accounts.example', 'https://a:b@c.example', 'https://a.example/?x=1']) {
    wrong({ OIDC_ISSUER: issuer }, /OIDC_ISSUER: must be a URL like https:/);
  }
  wrong({ OIDC_CLIENT_ID: 'a b' }, /OIDC_CLIENT_ID: must have 1 to 255 characters/);
  wrong({ OIDC_NAME: 'x'.repeat(61) }, /OIDC_NAME: must be a name/);
});

test("the bucket's credentials come from files, and do not show", async (t) => {
  t.equal(loadConfig({}).storageCredentials, null);
  const fromEnvironment = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'hidden' };
  t.equal(loadConfig(fromEnvironment).storageCredentials, null, 'the AWS SDK reads them');
  const folder = t.testdir({ id: 'AKIA2\n', secret: 'hidden', token: 'session' });
  const files = {
    AWS_ACCESS_KEY_ID_FILE: join(folder, 'id'),
    AWS_SECRET_ACCESS_KEY_FILE: join(folder, 'secret'),
  };
  const config = loadConfig(files);
  const pair = { accessKeyId: 'AKIA2', secretAccessKey: 'hidden' };
  t.strictSame(config.storageCredentials?.reveal(), pair);
  t.notMatch(JSON.stringify(config), /hidden|AKIA2/);
  const mixed = {
    ...{ AWS_ACCESS_KEY_ID: 'AKIA3', AWS_SESSION_TOKEN_FILE: join(folder, 'token') },
    AWS_SECRET_ACCESS_KEY_FILE: files.AWS_SECRET_ACCESS_KEY_FILE,
  };
  t.strictSame(loadConfig(mixed).storageCredentials?.reveal(), {
    ...{ accessKeyId: 'AKIA3', secretAccessKey: 'hidden', sessionToken: 'session' },
  });
  t.strictSame(problemsOf({ AWS_SECRET_ACCESS_KEY_FILE: files.AWS_SECRET_ACCESS_KEY_FILE }), [
    'AWS_SECRET_ACCESS_KEY_FILE: AWS_ACCESS_KEY_ID is needed too: give it, or AWS_ACCESS_KEY_ID_FILE',
  ]);
  t.match(problemsOf({ ...files, AWS_ACCESS_KEY_ID_FILE: join(folder, 'none') }), [
    /^AWS_ACCESS_KEY_ID_FILE: .*cannot be read \(ENOENT\)$/,
  ]);
});

test('trusts proxies by network, by address or by their number', async (t) => {
  const trusted = (text: string) => loadConfig({ TRUST_PROXY: text }).trustProxy;
  t.strictSame(trusted('10.0.0.0/8, 192.0.2.1, ::1,2001:db8::/32'), [
    '10.0.0.0/8',
    '192.0.2.1/32',
    '::1/128',
    '2001:db8::/32',
  ]);
  t.equal(trusted('2'), 2);
  for (const text of ['true', 'proxy.example', '10.0.0.0/33', '10.0.0.0/', '1.2.3', '33', '/8']) {
    t.match(problemsOf({ TRUST_PROXY: text }), [/^TRUST_PROXY: must be/], text);
  }
});

test('webhooks use any port outside production, but HTTP and private addresses only if enabled', async (t) => {
  const webhooks = (env: Record<string, string>) => loadConfig(env).webhooks;
  const production = { NODE_ENV: 'production' };
  t.strictSame(webhooks(production), { allowHttp: false, allowPrivate: false, ports: [443] });
  t.strictSame(webhooks({ WEBHOOK_PORTS: '443, 8443' }).ports, [443, 8443]);
  t.strictSame(webhooks({ ...production, WEBHOOK_PORTS: '8443' }).ports, [8443]);
  const allowed = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOW_PRIVATE: 'true' };
  t.match(webhooks(allowed), { allowHttp: true, allowPrivate: true });
  const denied = { ...production, WEBHOOK_ALLOW_HTTP: 'false', WEBHOOK_ALLOW_PRIVATE: '0' };
  t.match(webhooks(denied), { allowHttp: false, allowPrivate: false });
  t.strictSame(problemsOf({ ...production, ...allowed }), [
    'WEBHOOK_ALLOW_HTTP: is for development: it must not be true with NODE_ENV=production',
    'WEBHOOK_ALLOW_PRIVATE: is for development: it must not be true with NODE_ENV=production',
  ]);
});

test('a relative file: URL is resolved in the working folder', async (t) => {
  const { storageUrl } = loadConfig({ STORAGE_URL: 'file:./my files' });
  t.equal(storageUrl, `file://${process.cwd()}/my%20files`);
});

const mistakes: readonly [Record<string, string>, RegExp][] = [
  [{ PORT: '65536' }, /^PORT: must be a whole number from 0 to 65535, not "65536"$/],
  [{ PORT: '3e3' }, /^PORT: /],
  [
    { WEBHOOK_ALLOW_HTTP: 'yes' },
    /^WEBHOOK_ALLOW_HTTP: must be one of true, 1, false, 0, not "yes"$/,
  ],
  [{ WEBHOOK_PORTS: '443,' }, /^WEBHOOK_PORTS: has an empty entry/],
  [{ WEBHOOK_PORTS: '443,70000' }, /^WEBHOOK_PORTS: must be a whole number from 1 to 65535/],
  [{ PUBLIC_URL: 'proofs.example' }, /^PUBLIC_URL: must be a URL like/],
  [{ PUBLIC_URL: 'https://a.example/?q=1' }, /^PUBLIC_URL: /],
  [{ PUBLIC_URL: 'https://jane@a.example/' }, /^PUBLIC_URL: must have no user and no password/],
  [{ PUBLIC_URL: 'https://:hidden@a.example/' }, /^PUBLIC_URL: must have no user and no password/],
  [{ PUBLIC_URL: 'https://jane:hidden@a.example/' }, /^PUBLIC_URL: must have no user(?!.*hidden)/],
  [{ ...hosted, DATABASE_URL: 'mysql://u:p@h/d' }, /^DATABASE_URL: must be a URL like postgres:/],
  [{ MASTER_KEY: 'c2hvcnQ=' }, /^MASTER_KEY: must be 32 bytes in base64/],
  [{ ...hosted, MASTER_KEY: '' }, /^MASTER_KEY: is required with DATABASE_URL/],
  [{ ...hosted, LOG_KEY: '' }, /^LOG_KEY: is required with DATABASE_URL and the role reactor/],
  [{ LOG_KEY: `${logKey},c2hvcnQ=` }, /^LOG_KEY: must be 32 bytes in base64/],
  [{ CHECKPOINT_INTERVAL_MS: '1' }, /^CHECKPOINT_INTERVAL_MS: must be a whole number/],
  [
    { ...hosted, XRPL_TESTNET_URL: '', XRPL_TESTNET_ACCOUNTS: '' },
    /^XRPL_MAINNET_URL or XRPL_TESTNET_URL: is required with DATABASE_URL/,
  ],
  [{ ...hosted, XRPL_TESTNET_URL: 'https://x.example' }, /^XRPL_TESTNET_URL: must be ws:/],
  [{ ...hosted, XRPL_TESTNET_URL: 'wss://x,,wss://y' }, /^XRPL_TESTNET_URL: has an empty entry/],
  [{ ...hosted, XRPL_TESTNET_URL: 'wss://x,wss://x' }, /^XRPL_TESTNET_URL: names one entry twice/],
  [{ ...hosted, XRPL_TESTNET_ACCOUNTS: '' }, /^XRPL_TESTNET_ACCOUNTS: is required with/],
  [{ XRPL_TESTNET_ACCOUNTS: seed }, /^XRPL_TESTNET_URL: is required with XRPL_TESTNET_ACCOUNTS/],
  [{ ...hosted, XRPL_TESTNET_ACCOUNTS: `${seed},${seed}` }, /entry 2: its account is named twice/],
  [
    { ...hosted, XRPL_TESTNET_CHECKPOINT_ACCOUNT: seed },
    /^XRPL_TESTNET_CHECKPOINT_ACCOUNT: is one of XRPL_TESTNET_ACCOUNTS: checkpoints need an account/,
  ],
  [
    { ...hosted, XRPL_TESTNET_CHECKPOINT_ACCOUNT: 'secret-that-is-no-seed' },
    /^XRPL_TESTNET_CHECKPOINT_ACCOUNT: must be `seed`, `address:seed`, `address:kms:key` or `address`: the seed or address is not valid$/,
  ],
  [
    { ...hosted, XRPL_MAINNET_CHECKPOINT_ACCOUNT: generateSeed() },
    /^XRPL_MAINNET_URL: is required with XRPL_MAINNET_CHECKPOINT_ACCOUNT/,
  ],
  [
    { ...hosted, XRPL_TESTNET_ACCOUNTS: `${seed},${genesis}` },
    /^XRPL_TESTNET_ACCOUNTS: rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh has no seed, and this process signs/,
  ],
  [
    { ...hosted, XRPL_TESTNET_CHECKPOINT_ACCOUNT: genesis },
    /^XRPL_TESTNET_CHECKPOINT_ACCOUNT: rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh has no seed/,
  ],
  [{ ...hosted, XRPL_TESTNET_ACCOUNTS: `rBroken:${seed}` }, /entry 1: the address before/],
  [
    { ...hosted, XRPL_TESTNET_ACCOUNTS: `rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTj:${seed}` },
    /entry 1: the address before/,
  ],
  [
    { ...hosted, XRPL_MAINNET_URL: 'wss://main.example', XRPL_MAINNET_ACCOUNTS: seed },
    /^XRPL_TESTNET_ACCOUNTS: shares a key with XRPL_MAINNET_ACCOUNTS/,
  ],
  [
    {
      ...hosted,
      XRPL_MAINNET_URL: 'wss://main.example',
      XRPL_MAINNET_ACCOUNTS: `rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:${seed}`,
    },
    /^XRPL_TESTNET_ACCOUNTS: shares a key with XRPL_MAINNET_ACCOUNTS/,
  ],
  [{ STORAGE_URL: '/var/files' }, /^STORAGE_URL: must be file:/],
  [{ STORAGE_URL: 's3://id:secret@bucket' }, /^STORAGE_URL: must not hold credentials/],
  [{ ROLES: 'api,cook' }, /^ROLES: must be one of api, projector, reactor, signer, not "cook"/],
  [{ ROLES: 'signer,api' }, /^ROLES: `signer` must be the only role/],
  [
    { ROLES: 'signer', XRPL_TESTNET_ACCOUNTS: seed },
    /^SIGNER_SOCKET: is required with the role signer/,
  ],
  [{ ROLES: 'signer', SIGNER_SOCKET: '/s' }, /^XRPL_MAINNET_ACCOUNTS or XRPL_TESTNET_ACCOUNTS: /],
  [
    { ROLES: 'signer', SIGNER_SOCKET: '/s', XRPL_TESTNET_ACCOUNTS: seed, LOG_KEY: logKey },
    /^LOG_KEY: is not for the role signer/,
  ],
  [
    { ROLES: 'signer', SIGNER_SOCKET: '/s', XRPL_TESTNET_ACCOUNTS: genesis },
    /^XRPL_TESTNET_ACCOUNTS: rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh has no seed, and this process signs/,
  ],
  [
    { ROLES: 'signer ', SIGNER_SOCKET: '/s', XRPL_TESTNET_ACCOUNTS: seed, MASTER_KEY: masterKey },
    /^MASTER_KEY: is not for the role signer/,
  ],
  [
    {
      ...{ ROLES: 'signer', SIGNER_SOCKET: '/s', XRPL_TESTNET_ACCOUNTS: seed },
      XRPL_TESTNET_CHECKPOINT_ACCOUNT: seed,
    },
    /^XRPL_TESTNET_CHECKPOINT_ACCOUNT: is one of XRPL_TESTNET_ACCOUNTS/,
  ],
  [
    {
      ...{ ROLES: 'signer', SIGNER_SOCKET: '/s', XRPL_TESTNET_ACCOUNTS: seed },
      XRPL_MAINNET_CHECKPOINT_ACCOUNT: generateSeed(),
    },
    /^XRPL_MAINNET_ACCOUNTS: is required with XRPL_MAINNET_CHECKPOINT_ACCOUNT/,
  ],
  [
    {
      ...hosted,
      XRPL_MAINNET_URL: 'wss://main.example',
      XRPL_MAINNET_ACCOUNTS: `${genesis}:kms:alias/a`,
      XRPL_TESTNET_ACCOUNTS: `${genesis}:kms:alias/a`,
    },
    /^XRPL_TESTNET_ACCOUNTS: shares a key with XRPL_MAINNET_ACCOUNTS/,
  ],
  [{ SIGNER_SOCKET: '/s' }, /^SIGNER_SOCKET: is not for the standalone ledger/],
  [
    {
      ROLES: 'signer',
      SIGNER_SOCKET: '/s',
      XRPL_TESTNET_ACCOUNTS: seed,
      SIGNATURES_PER_MINUTE: '9',
    },
    /^SIGNATURES_PER_MINUTE: /,
  ],
  [{ ...hosted, SIGNER_SOCKET: 'signer.sock' }, /^SIGNER_SOCKET: must be an absolute path/],
  [
    { ...hosted, XRPL_TESTNET_ACCOUNTS: 'rBroken:kms:alias/a' },
    /^XRPL_TESTNET_ACCOUNTS: entry 1: the address before `:kms:` is not valid/,
  ],
  [{ PROOF_WAIT_MS: '0' }, /^PROOF_WAIT_MS: /],
  [{ MAX_UPLOAD_BYTES: '0' }, /^MAX_UPLOAD_BYTES: /],
  [{ MAX_UPLOAD_BYTES: '100MB' }, /^MAX_UPLOAD_BYTES: /],
  [{ LEDGER_LOAD_PERCENT: '14' }, /^LEDGER_LOAD_PERCENT: /],
  [{ STANDALONE_CLOSE_MS: '-1' }, /^STANDALONE_CLOSE_MS: /],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: must be one of fatal/],
  [{ MAX_FEE_DROPS: '9' }, /^MAX_FEE_DROPS: /],
];

test('each mistake is reported in one clear line', async (t) => {
  for (const [env, line] of mistakes) {
    const problems = problemsOf(env);
    t.equal(problems.length, 1, `one problem: ${problems.join(' | ')}`);
    t.match(problems[0], line);
    t.notMatch(problems[0], /\n/);
  }
});

test('all mistakes are reported together', async (t) => {
  const problems = problemsOf({ PORT: 'x', ROLES: 'y', DATABASE_URL: 'postgres://h/d' });
  t.strictSame(
    problems.map((line) => line.split(':')[0]),
    ['PORT', 'ROLES', 'MASTER_KEY', 'XRPL_MAINNET_URL or XRPL_TESTNET_URL'],
  );
});

test('no secret appears in errors, JSON or inspection', async (t) => {
  const secrets = [seed, masterKey, logKey, 'hunter2', 'notASeedButSecret'];
  const texts = [
    problemsOf({
      ...hosted,
      DATABASE_URL: 'postgress://proofmark:hunter2@db',
      MASTER_KEY: `${masterKey}A`,
      LOG_KEY: `${logKey},${logKey},x`,
      XRPL_TESTNET_ACCOUNTS: `notASeedButSecret,${seed}:extra,${seed},${seed}`,
    }).join('\n'),
    JSON.stringify(loadConfig(hosted)),
    inspect(loadConfig(hosted), { depth: 9, showHidden: true }),
    `${loadConfig(hosted).databaseUrl}`,
  ];
  for (const text of texts) {
    t.ok(text.length > 5);
    for (const secret of secrets) t.notOk(text.includes(secret), `appears in ${text}`);
  }
});

test('the configuration cannot be changed', async (t) => {
  const config = loadConfig(hosted) as unknown as { port: number; roles: string[] };
  t.throws(() => {
    config.port = 1;
  });
  t.throws(() => config.roles.push('cook'));
});

test('metrics have their own port, and traces need a named collector', async (t) => {
  t.match(loadConfig({ METRICS_PORT: '0' }).metrics, { port: 0, isRequired: true });
  t.match(loadConfig({ METRICS_PORT: 'off' }).metrics, { port: null });
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  t.strictSame(loadConfig(collector).tracing, {
    protocol: 'http/protobuf',
    sampler: 'parentbased_always_on',
    samplerRatio: 1,
    serviceName: 'proofmark',
  });
  const sampled = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/v1/traces',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  };
  t.match(loadConfig(sampled).tracing, { protocol: 'http/json', samplerRatio: 0.05 });
  t.equal(loadConfig({ ...collector, OTEL_SDK_DISABLED: 'true' }).tracing, null);
  t.equal(loadConfig({ ...collector, OTEL_TRACES_EXPORTER: 'none' }).tracing, null);
  t.strictSame(
    problemsOf({
      METRICS_PORT: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER_ARG: '2',
    }).map((line) => line.split(':')[0]),
    [
      'METRICS_PORT',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_TRACES_SAMPLER_ARG',
    ],
  );
});

test('with several master keys the first one wraps', async (t) => {
  const [present, former] = [randomBytes(32), randomBytes(32)];
  const MASTER_KEY = `${present.toString('base64')},${former.toString('base64')}`;
  const config = loadConfig({ ...hosted, MASTER_KEY });
  t.same(config.masterKey?.reveal(), present);
  t.same(
    config.formerMasterKeys.map((key) => key.reveal()),
    [former],
  );
  t.match(
    problemsOf({ ...hosted, MASTER_KEY: `${masterKey},short` })[0],
    /^MASTER_KEY: must be 32/,
  );
});

test('secrets are read from the named files', async (t) => {
  const folder = t.testdir({ key: `${masterKey}\n`, empty: '' });
  const { MASTER_KEY: _, ...others } = hosted;
  const config = loadConfig({ ...others, MASTER_KEY_FILE: join(folder, 'key') });
  t.same(config.masterKey?.reveal(), Buffer.from(masterKey, 'base64'));
  const ofUnit = { MASTER_KEY_FILE: 'key', CREDENTIALS_DIRECTORY: folder };
  t.same(loadConfig({ ...others, ...ofUnit }).masterKey?.reveal(), config.masterKey?.reveal());
  t.match(problemsOf({ ...hosted, MASTER_KEY_FILE: join(folder, 'key') }), [
    'MASTER_KEY_FILE: MASTER_KEY is given too: leave one of them out',
  ]);
  t.match(
    problemsOf({ ...others, MASTER_KEY_FILE: join(folder, 'none') })[0],
    /none cannot be read \(ENOENT\)$/,
  );
  t.match(problemsOf({ ...others, MASTER_KEY_FILE: join(folder, 'empty') })[0], /empty is empty$/);
});

test('the name of the log begins with LOG_ORIGIN, or with the address of the service', async (t) => {
  const originOf = (env: Record<string, string>) => loadConfig(env).logOrigin;
  t.equal(originOf({}), null);
  t.equal(originOf({ PUBLIC_URL: 'https://proofs.example' }), 'proofs.example/log');
  t.equal(originOf({ PUBLIC_URL: 'http://[::1]:3001/a+b/' }), '[::1]:3001/a%2Bb/log');
  const chosen = { LOG_ORIGIN: 'example.com/logs/a', PUBLIC_URL: 'https://proofs.example' };
  t.equal(originOf(chosen), 'example.com/logs/a');
  for (const bad of [
    'https://example.com',
    'Example.com',
    'example.com/',
    'a b',
    'a+b',
    '/log',
    'a//b',
  ]) {
    t.match(problemsOf({ LOG_ORIGIN: bad }), [/LOG_ORIGIN: must be a URL without scheme/], bad);
  }
});
