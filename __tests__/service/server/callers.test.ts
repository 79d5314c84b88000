import { randomBytes } from 'node:crypto';
import { AccountLimits, DEFAULT_ACCOUNT_LIMITS } from '../../../demo/service/accounts/AccountLimits.js';
import { createService } from '../../../demo/service/createService.js';
import { openDatabase } from '../../../demo/service/database/openDatabase.js';
import { DEMO_APPLICATION, seedDemo } from '../../../demo/service/seedDemo.js';
import { until } from '../../helpers/until.js';
import { CIBA } from './ServiceCaller.js';

/** One household, server or attacker has all the addresses of its /64. */
const ofOneNetwork = (i: number): string => `2001:db8:0:7:${i.toString(16)}::${(i * 7).toString(16)}`;
const ELSEWHERE = '2001:db8:0:8::1';

test.each<[string, (limits: AccountLimits, address: string, i: number) => Promise<void>]>([
  ['logins', (limits, address, i) => limits.spendLogin({ email: `${i}@example.com`, address })],
  ['sign-ins with a passkey', (limits, address) => limits.spendPasskey(address)],
  ['connect requests', (limits, address, i) => limits.spendConnect('app', { email: `${i}@example.com`, address })],
])('%s: who has a whole IPv6 network has one allowance', async (_name, spend) => {
  const database = await openDatabase({ path: ':memory:' });
  const limits = new AccountLimits(database, () => 0, DEFAULT_ACCOUNT_LIMITS);
  for (let i = 0; i < 60; i += 1) await spend(limits, ofOneNetwork(i), i);
  await expect(spend(limits, ofOneNetwork(60), 60)).rejects.toMatchObject({ status: 429 });
  await spend(limits, ELSEWHERE, 61);
  await database.close();
});

test('polls are held for as many as one caller may have, whatever address of its network it takes', async () => {
  const database = await openDatabase({ path: ':memory:' });
  const cheap = { cost: 2, parallelization: 1 };
  await seedDemo(database, randomBytes, cheap);
  const heldPolls = { perCaller: 1, total: 10 };
  const service = createService({ database, directory: 'demo/service', passwordCost: cheap, heldPolls });
  const post = async (remoteAddress: string, path: string, body: object) => {
    const { apiKey, privateKey } = DEMO_APPLICATION;
    const headers = { 'Api-Key': apiKey, 'Private-Key': privateKey, 'Content-Type': 'application/json' };
    const request = new Request(`http://127.0.0.1/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }); // prettier-ignore
    const answer = await service.app.fetch(request, { incoming: { socket: { remoteAddress } } });
    return (await answer.json()) as Record<string, unknown>;
  };
  const poll = async (address: string) => {
    const { auth_req_id } = await post(address, 'bc-authorize', { login_hint: `${address}@example.com` });
    return post(address, 'token', { grant_type: CIBA, auth_req_id, wait: 2 });
  };
  const held = poll(ofOneNetwork(1));
  await until(() => service.heldPolls.size === 1);
  await poll(ofOneNetwork(2));
  expect(service.heldPolls.size).toBe(1);
  const other = poll(ELSEWHERE);
  await until(() => service.heldPolls.size === 2);
  await Promise.all([held, other]);
  await database.close();
});
