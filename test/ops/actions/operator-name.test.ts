import { userInfo } from 'node:os';
import { test } from 'tap';
import { operatorName } from '../../../ops/session/operator-name.ts';
import { loadConfig } from '../../../src/config.ts';

test('the operator is who OPERATOR names, else who called sudo, else the user', async (t) => {
  const nameOf = (env: Record<string, string>) => operatorName(loadConfig(env), env);
  t.equal(nameOf({}), userInfo().username);
  t.equal(nameOf({ SUDO_USER: 'jane' }), 'jane');
  t.equal(nameOf({ SUDO_USER: '' }), userInfo().username);
  t.equal(nameOf({ SUDO_USER: 'jane', OPERATOR: 'Jane Roe' }), 'Jane Roe');
  t.equal(nameOf({ SUDO_USER: 'jane', OPERATOR: 'Jane Roe', RECORD_OPERATOR: 'false' }), null);
});
