import { test } from 'tap';
import { noPython, runUnittest } from '../../support/python-client.ts';

test('the Python client against an outage of the ledger', { skip: noPython }, async (t) => {
  await runUnittest(t, 'test_outages.py');
});
