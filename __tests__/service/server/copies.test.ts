import { startService, type RunningService } from '../../../demo/service/startService.js';
import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { adEvent } from './adEvents.js';
import { IMPRESSION, ledgerOf, placement, SUMMARY, VIEWABLE } from './placements.js';
import { atOnce, ServiceCaller, sign, tokens } from './ServiceCaller.js';
import { sharedStorage, type SharedStorage } from './sharedStorage.js';
import { WebAppVisitor } from './WebAppVisitor.js';

describe('two copies of the service on one database', () => {
  let storage: SharedStorage;
  let services: [RunningService, RunningService];
  let callers: [ServiceCaller, ServiceCaller];

  beforeEach(async () => {
    storage = sharedStorage();
    const first = await startService(storage.options);
    services = [first, await startService(storage.options)];
    callers = [new ServiceCaller(services[0]), new ServiceCaller(services[1])];
  });
  afterEach(async () => {
    for (const service of services) await service.close();
    await storage.remove();
  });

  const count = async (table: string) =>
    (await services[0].db.first<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n;
  const idsOf = (answers: { body: Record<string, unknown> }[], fate: string) =>
    answers.flatMap(({ body }) => body[fate] as string[]);

  test('F4 F5 F46 the same events sent to both at once, over and over, in any order, are counted once', async () => {
    const events = Array.from({ length: 10 }, () => placement([IMPRESSION, VIEWABLE, SUMMARY])).flat();
    const answers = await atOnce(20, (turn) => {
      const batch = turn % 3 === 0 ? [...events].reverse() : events;
      return callers[turn % 2 === 0 ? 0 : 1].post('/v1/events', { events: batch });
    });
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(idsOf(answers, 'accepted').sort()).toEqual(events.map(({ id }) => id).sort());
    expect(idsOf(answers, 'duplicate')).toHaveLength(19 * events.length);
    expect(await count('events')).toBe(30);
    expect(await count('summaries')).toBe(10);
    expect(await count('summary_verdicts')).toBe(20);
  });

  test('F5 a happening told to both at once under two ids is counted once', async () => {
    const [event] = placement([IMPRESSION]);
    const answers = await atOnce(8, (turn) =>
      callers[turn % 2 === 0 ? 0 : 1].post('/v1/events', { events: [{ ...event, id: adEvent().id }] }),
    );
    expect(idsOf(answers, 'accepted')).toHaveLength(1);
    expect(await count('events')).toBe(1);
  });

  test('many games reporting different events to both at once lose none', async () => {
    const games = await atOnce(12, async (game) => {
      const events = placement(Array.from({ length: 10 }, () => ({ kind: 'click' })));
      const ledger = ledgerOf({ revision: game });
      return { events, answer: await callers[game % 2 === 0 ? 0 : 1].post('/v1/events', { ledger, events }) };
    });
    for (const { events, answer } of games) {
      expect(answer.body).toEqual({ accepted: events.map(({ id }) => id), duplicate: [], rejected: [] });
    }
    expect(await count('events')).toBe(120);
    expect(await count('outboxes')).toBe(12);
  });

  test('keep the newest ledger of an outbox, whichever of them it came to', async () => {
    const ledger = ledgerOf();
    await atOnce(10, (revision) =>
      callers[revision % 2 === 0 ? 0 : 1].post('/v1/events', { events: [], ledger: { ...ledger, revision } }),
    );
    expect(await services[1].db.all('SELECT revision FROM outboxes')).toEqual([{ revision: 9 }]);
  });

  test('accept a signed request at one of them only', async () => {
    const body = JSON.stringify({ events: [adEvent()] });
    const headers = { ...sign({ method: 'POST', target: '/api/v1/events', body }), 'Content-Type': 'application/json' };
    const statuses = await atOnce(2, async (copy) => {
      const { baseUrl } = services[copy === 0 ? 0 : 1];
      return (await fetch(`${baseUrl}/v1/events`, { method: 'POST', headers, body })).status;
    });
    expect(statuses.sort()).toEqual([200, 401]);
  });

  test('count failed logins together', async () => {
    const attempts = await atOnce(14, (turn) =>
      callers[turn % 2 === 0 ? 0 : 1].post('/v1/login', { email: DEMO_PLAYER.email, password: 'wrong' }),
    );
    const refused = attempts.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    for (const { headers } of refused) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('let a player connect at one, confirm at the other, and refresh at either', async () => {
    const { authReqId } = await callers[0].connect();
    const visitor = new WebAppVisitor(services[1]);
    await visitor.signIn();
    await visitor.decide('confirm');
    const issued = tokens(await callers[0].poll(authReqId));
    expect((await callers[1].player(issued.access_token)).status).toBe(200);
    const next = tokens(await callers[1].refresh(issued.refresh_token));
    expect((await callers[0].player(next.access_token)).status).toBe(200);
    await callers[0].post('/v1/revoke', { token: next.refresh_token });
    expect((await callers[1].player(next.access_token)).status).toBe(401);
  });

  test('give the tokens of a confirmed request for one session, though both are asked at once', async () => {
    const { authReqId } = await callers[0].connect();
    const visitor = new WebAppVisitor(services[0]);
    await visitor.signIn();
    await visitor.decide('confirm');
    const polls = await atOnce(6, (turn) => callers[turn % 2 === 0 ? 0 : 1].poll(authReqId));
    expect(polls.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await callers[1].post('/v1/revoke', { token: polls[0]!.body['refresh_token'] });
    for (const { body } of polls) expect((await callers[0].player(String(body['access_token']))).status).toBe(401);
  });

  test('honour an application token minted at the other', async () => {
    const { body } = await callers[0].post('/v1/app-token', {});
    const credential = { 'Application-Token': String(body['token']) };
    expect((await callers[1].get('/v1/ad-surfaces', { credential })).status).toBe(200);
  });

  test('F31 after a restart in the middle, what was accepted is known and what was not is accepted', async () => {
    const events = placement([IMPRESSION, VIEWABLE, SUMMARY]);
    await callers[0].post('/v1/events', { events: events.slice(0, 2) });
    await services[0].close();
    services[0] = await startService(storage.options);
    const { body } = await new ServiceCaller(services[0]).post('/v1/events', { events });
    const [impression, viewable, summary] = events.map(({ id }) => id);
    expect(body).toEqual({ accepted: [summary], duplicate: [impression, viewable], rejected: [] });
  });
});

test('copies that start at the same moment on an empty database fill it once', async () => {
  const storage = sharedStorage();
  const services = await (storage.options.postgres === undefined
    ? // The embedded database belongs to one process, which starts one copy after the other.
      atOnce(1, () => startService(storage.options))
    : atOnce(4, () => startService(storage.options)));
  const players = await services[0]?.db.all('SELECT email FROM players');
  for (const service of services) await service.close();
  await storage.remove();
  expect(players).toEqual([{ email: DEMO_PLAYER.email }]);
});
