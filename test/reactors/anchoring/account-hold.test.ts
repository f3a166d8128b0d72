import { test } from 'tap';
import { AccountHold } from '../../../src/reactors/anchoring/account-hold.ts';

test('a lock counts as lost while the database cannot be asked, and after its release', async (t) => {
  const database = { isAway: false };
  const locks = {
    async hold() {
      if (database.isAway) throw new Error('the database is away');
      return 1;
    },
    release: async () => {},
    close: async () => {},
  };
  const hold = new AccountHold('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', '1', null);
  await hold.take(locks);
  hold.comparing()();
  t.ok(hold.isCompared);
  database.isAway = true;
  await t.rejects(hold.take(locks), { message: 'the database is away' });
  t.notOk(hold.isCompared);
  database.isAway = false;
  await hold.take(locks);
  t.ok(hold.isCompared, 'under the same lock the comparison still counts');
  await hold.release(locks);
  t.notOk(hold.isCompared);
});
