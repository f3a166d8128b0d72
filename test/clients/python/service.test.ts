import { test } from 'tap';
import { liftLimits } from '../../support/lift-limits.ts';
import { firstKey, newDataDir, startProgram, stop } from '../../support/program.ts';
import { noPython, runUnittest } from '../../support/python-client.ts';
import { developmentRules } from '../../support/webhook-client.ts';

test('the Python client against the running service', { skip: noPython }, async (t) => {
  const dataDir = await newDataDir(t);
  const program = await startProgram(t, {
    ...{ ...developmentRules, DATA_DIR: dataDir },
    ...{ ITEMS_PER_DAY: '100000', ADDRESS_REQUESTS_PER_MINUTE: '100000' },
  });
  const { key, workspace } = await firstKey(program);
  await liftLimits(dataDir);
  const env = { SERVER: program.address, KEY: key, WORKSPACE: workspace };
  await runUnittest(t, 'test_service.py', env);
  t.match(await stop(program), { code: 0 });
});
