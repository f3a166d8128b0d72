import type { IncomingMessage } from 'node:http';
import { test } from 'tap';
import {
  createAddressReader,
  type TrustedProxies,
} from '../../../src/http/limits/client-address.ts';

/**
 * Address of the caller for a connection from `remoteAddress` with `forwarded` as X-Forwarded-For.
 */
function addressOf(trusted: TrustedProxies, remoteAddress: string | undefined, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
  return createAddressReader(trusted)(request);
}

test('without trusted proxies the connecting address counts, whatever the header says', async (t) => {
  t.equal(addressOf([], '192.0.2.1', '203.0.113.9'), '192.0.2.1');
  t.equal(addressOf(0, '::ffff:192.0.2.1', '203.0.113.9'), '192.0.2.1');
  t.equal(addressOf([], '2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.equal(addressOf([], 'fe80::1%eth0'), 'fe80::/64');
  t.equal(addressOf([], undefined), 'unknown');
});

test('trusts X-Forwarded-For from a trusted proxy, up to the first untrusted address', async (t) => {
  const trusted = ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1/32'];
  const rows: [string, string | undefined, string][] = [
    ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['2001:db8::5', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['203.0.113.8', '6.6.6.6', '203.0.113.8'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '6.6.6.6, nonsense', '10.0.0.1'],
    ['10.0.0.1', '6.6.6.6,', '10.0.0.1'],
    ['10.0.0.1', '12345', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['10.0.0.1', '[2001:db9::1]:4711', '2001:db9::/64'],
    ['10.0.0.1', '2001:DB9::1', '2001:db9::/64'],
    ['127.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ];
  for (const [remote, forwarded, expected] of rows) {
    t.equal(addressOf(trusted, remote, forwarded), expected, `${remote} for ${forwarded}`);
  }
});

test('trusts a given number of proxies, whatever their addresses', async (t) => {
  t.equal(addressOf(1, '192.0.2.1', '6.6.6.6, 203.0.113.9'), '203.0.113.9');
  t.equal(addressOf(2, '192.0.2.1', '6.6.6.6, 203.0.113.9, 192.0.2.2'), '203.0.113.9');
  t.equal(addressOf(2, '192.0.2.1', '203.0.113.9'), '203.0.113.9');
});
