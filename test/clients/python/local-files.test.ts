import { test } from 'tap';
import { noPython, runUnittest } from '../../support/python-client.ts';

test('the Python client and odd files', { skip: noPython }, async (t) => {
  await runUnittest(t, 'test_local_files.py');
});
