import { closeSync, openSync } from 'node:fs';
import { pino } from 'pino';
import { test } from 'tap';
import { logDestination } from '../../src/program/log-destination.ts';

test('a log that cannot be written stops nothing, however often', async (t) => {
  const fd = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(fd));
  const log = pino({}, logDestination(fd));
  for (let line = 0; line < 100; line += 1) t.doesNotThrow(() => log.info('a line'));
});
