import { test } from 'tap';
import { noPython, runUnittest } from '../../support/python-client.ts';

test('uploads of the Python client', { skip: noPython }, async (t) => {
  await runUnittest(t, 'test_uploads.py');
});
