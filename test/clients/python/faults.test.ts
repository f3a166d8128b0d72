import { test } from 'tap';
import { noPython, runUnittest } from '../../support/python-client.ts';

test('the Python client against a server that fails', { skip: noPython }, async (t) => {
  await runUnittest(t, 'test_faults.py');
});
