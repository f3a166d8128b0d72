import { join } from 'node:path';
import { test } from 'tap';
import { noPython, runUnittest } from '../../support/python-client.ts';
import { projectRoot } from '../../support/run.ts';

test('the Python client holds the conformance vectors', { skip: noPython }, async (t) => {
  const file = join(projectRoot, 'docs/vectors/vectors.ndjson.gz');
  await runUnittest(t, 'test_vectors.py', { VECTORS: file });
});
