import type { IncomingMessage } from 'node:http';
import { test } from 'tap';
import type { TrustedProxies } from '../../../src/http/limits/client-address.ts';
import {
  type AddressForm,
  createAddressRecorder,
} from '../../../src/http/limits/recorded-address.ts';

function recorded(form: AddressForm, trusted: TrustedProxies, remote?: string, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { socket: { remoteAddress: remote }, headers } as unknown as IncomingMessage;
  return createAddressRecorder(form, trusted)(request);
}

test('an address is recorded in the configured form', async (t) => {
  const rows: [AddressForm, string, string | undefined, boolean][] = [
    ['off', '203.0.113.9', undefined, false],
    ['full', '203.0.113.9', '203.0.113.9', false],
    ['full', '::ffff:203.0.113.9', '203.0.113.9', false],
    ['full', '2001:DB8:0:0:1:0:0:9', '2001:db8::1:0:0:9', false],
    ['hash', '203.0.113.9', '203.0.113.9', true],
    ['hash', '::ffff:203.0.113.9', '203.0.113.9', true],
    ['truncated', '203.0.113.9', '203.0.113.0/24', false],
    ['truncated', '::ffff:203.0.113.9', '203.0.113.0/24', false],
    ['truncated', '2001:db8:1:2:3:4:5:6', '2001:db8:1::/48', false],
    ['truncated', 'fe80::1%eth0', 'fe80::/48', false],
  ];
  for (const [form, remote, address, hashed] of rows) {
    const expected = address === undefined ? undefined : { address, hashed };
    t.strictSame(recorded(form, [], remote), expected, `${form} of ${remote}`);
  }
  t.equal(recorded('full', []), undefined, 'a connection that broke');
});

test('records what only a trusted proxy says, and never a spoofed header', async (t) => {
  const proxy = ['10.0.0.0/8'];
  const rows: [TrustedProxies, string, string, string][] = [
    [[], '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [0, '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [proxy, '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [proxy, '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    [proxy, '10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    [proxy, '10.0.0.1', "1.1.1.1' OR, nonsense", '10.0.0.1'],
    [1, '192.0.2.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
  ];
  for (const [trusted, remote, forwarded, address] of rows) {
    const name = `${remote} for ${forwarded}`;
    t.strictSame(recorded('full', trusted, remote, forwarded), { address, hashed: false }, name);
  }
});
