import { test } from 'tap';
import { noPython, runUnittest } from '../../support/python-client.ts';

test('the Python client and malformed options and headers', { skip: noPython }, async (t) => {
  await runUnittest(t, 'test_offline.py');
});
