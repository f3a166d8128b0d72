import { test } from 'tap';
import { checkUrl, privateHost } from '../../src/webhooks/check-url.ts';
import { isPublicAddress } from '../../src/webhooks/public-address.ts';

const production = { allowHttp: false, allowPrivate: false, ports: [443] };
const development = { allowHttp: true, allowPrivate: true, ports: null };

/** Forms of addresses that must not be reached. */
const privateHosts = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ...['127.0.0.1.', '①②⑦.0.0.1', '%31%32%37.0.0.1', '0', '0.0.0.0', '255.255.255.255'],
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
  ...[
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
  ],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]'],
  ...['[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00::1]', '[fec0::1]'],
  ...['[ff02::1]', '[2001:db8::1]', '[100::1]', '[5f00::1]', '[3fff::1]', '[4000::1]'],
  // Metadata addresses of clouds: AWS and most others, AWS over IPv6, Azure, Alibaba, Oracle, Google.
  ...['169.254.169.254', '169.254.170.2', '[fd00:ec2::254]', '168.63.129.16', '100.100.100.200'],
  ...['192.0.0.192', '[fd20:ce::254]', '[::ffff:168.63.129.16]', '[64:ff9b::a83f:8110]'],
  ...['localhost', 'LOCALHOST', 'a.localhost', 'localhost.'],
];

test('refuses a private address in every written form', async (t) => {
  for (const host of privateHosts) {
    t.equal(checkUrl(`https://${host}/`, production), privateHost, host);
    t.equal(checkUrl(`https://${host}:8443/`, development), null, `${host} in development`);
  }
});

test('accepts names and public addresses', async (t) => {
  for (const host of [
    'hooks.example.com',
    '93.184.216.34',
    '[2606:2800:220:1::1]',
    'bücher.example',
  ]) {
    t.equal(checkUrl(`https://${host}/hooks?token=1`, production), null, host);
  }
  t.ok(isPublicAddress('::ffff:93.184.216.34'));
  t.notOk(isPublicAddress('hooks.example.com'));
  t.notOk(isPublicAddress(''));
});

test('accepts only HTTPS, without credentials, on an allowed port', async (t) => {
  const problem = (url: string) => checkUrl(url, production);
  t.equal(problem('http://example.com/'), 'must be an absolute HTTPS URL');
  t.equal(checkUrl('http://example.com:8080/', development), null);
  for (const url of [
    'https://a@example.com/',
    'https://a:b@example.com/',
    'https://:b@example.com/',
  ]) {
    t.equal(problem(url), 'must not contain credentials');
    t.equal(checkUrl(url, development), 'must not contain credentials');
  }
  t.equal(problem('https://example.com:8443/'), 'must use port 443');
  t.equal(problem('https://example.com:443/'), null);
  const both = { ...production, ports: [443, 8443] };
  t.equal(checkUrl('https://example.com:8443/', both), null);
  t.equal(checkUrl('https://example.com:80/', both), 'must use port 443 or 8443');
});

test('refuses anything but an absolute web URL, even if a parser would repair it', async (t) => {
  const none = [
    '',
    'example.com',
    '/hooks',
    'https:',
    'https://',
    'https:example.com',
    'https:/a.b',
  ];
  none.push(
    'https:\\\\example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
  );
  none.push(
    'ws://example.com',
    'https://exa mple.com',
    ' https://example.com',
    'https://example.com\t',
  );
  none.push(
    'ht\ntps://example.com',
    'https://exam\u0000ple.com',
    'https://[::1',
    'https://a..b:99999',
  );
  none.push('https:///example.com', 'https://256.256.256.256/');
  for (const url of none) t.ok(checkUrl(url, development), JSON.stringify(url));
});
