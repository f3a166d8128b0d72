import { test } from 'tap';
import { prefersAsync } from '../../../src/http/headers/prefer.ts';

test('finds respond-async exactly as RFC 7240 defines it', async (t) => {
  const asked = [
    'respond-async',
    'Respond-Async',
    ' respond-async ; foo=bar',
    'respond-async=""',
    'wait=10, respond-async',
    'a="x, y"; b="\\"", respond-async',
    ',, respond-async ,',
  ];
  for (const header of asked) t.equal(prefersAsync(header), true, header);
  const not = [
    undefined,
    '',
    'respond-asynchronously',
    'x-respond-async',
    'foo="respond-async"',
    'foo="a, respond-async, b"',
    'foo; respond-async',
    'respond-async=no',
    'handling=respond-async',
    '"respond-async"',
  ];
  for (const header of not) t.equal(prefersAsync(header), false, header ?? 'none');
  const started = process.cpuUsage();
  prefersAsync(`a${'; '.repeat(8_000)}@`);
  prefersAsync(`"${'\\"'.repeat(8_000)}`);
  const { user, system } = process.cpuUsage(started);
  t.ok(user + system < 200_000, 'in linear time');
});
