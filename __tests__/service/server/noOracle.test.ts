import { setTimeout } from 'node:timers/promises';
import type { Database, Sql } from '../../../demo/service/database/Database.js';
import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { Random } from '../../browser/oracle/Random.js';
import { ServiceCaller, type Answer } from './ServiceCaller.js';
import { WebAppVisitor } from './WebAppVisitor.js';

const TRIES = 400;
const KNOWN = DEMO_PLAYER.email;
const UNKNOWN = 'eve@example.com';
const UNLIMITED = { limit: 1e6, windowMs: 1_000 };

/** What of an answer could tell one e-mail from another: all but what differs from answer to answer anyway. */
function shapeOf({ status, headers, body }: Answer): string {
  const words = ['error', 'error_description', 'status', 'expires_in', 'interval', 'hold', 'title', 'detail'];
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    words.includes(name) ? value : `${typeof value} of ${String(String(value).length)}`,
  ]);
  const names = [...headers.keys()].filter((name) => name !== 'date').sort();
  return JSON.stringify([status, fields, names, headers.get('content-length')]);
}

/** Notes each statement the service sends to its database from now on. */
function noteStatements(database: Database): string[] {
  const noted: string[] = [];
  const noting = (sql: Sql): Sql => ({
    all: (statement, ...values) => (noted.push(statement), sql.all(statement, ...values)),
    first: (statement, ...values) => (noted.push(statement), sql.first(statement, ...values)),
    run: (statement, ...values) => (noted.push(statement), sql.run(statement, ...values)),
  });
  const { all, first, run, transaction } = database;
  const own: Sql = { all: all.bind(database), first: first.bind(database), run: run.bind(database) };
  Object.assign(database, noting(own), {
    transaction: <T>(work: (sql: Sql) => Promise<T>) => transaction.call(database, (sql) => work(noting(sql))),
  });
  return noted;
}

/** How often a time of one is above one of the other: 0.5 when they cannot be told apart. */
function chanceAbove(ones: readonly number[], others: readonly number[]): number {
  let above = 0;
  for (const one of ones) for (const other of others) above += one > other ? 1 : one === other ? 0.5 : 0;
  return above / (ones.length * others.length);
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

describe('whether an e-mail address has an account', () => {
  let service: RunningService;
  let caller: ServiceCaller;
  let noted: string[];

  beforeAll(async () => {
    service = await startService({
      passwordCost: { cost: 2 ** 9, parallelization: 1 },
      limits: { loginPerEmail: UNLIMITED, loginPerAddress: UNLIMITED, loginPerEmailByStrangers: UNLIMITED, connectPerEmail: UNLIMITED, connectPerAddress: UNLIMITED }, // prettier-ignore
    });
    caller = new ServiceCaller(service);
    noted = noteStatements(service.db);
  });
  afterAll(() => service.close());

  const webSignIn = async (email: string): Promise<Answer> => {
    const visitor = new WebAppVisitor(service);
    const { status, headers, text } = await visitor.signIn(email, 'wrong');
    return { status, headers, body: { detail: text.replace(/value="[^"]*"/g, '') } };
  };

  const asked: readonly [string, (email: string) => Promise<Answer>][] = [
    ['a login with a wrong password', (email) => caller.post('/v1/login', { email, password: 'wrong' })],
    ['a connect request', (email) => caller.post('/v1/bc-authorize', { login_hint: email })],
    ['a poll', async (email) => caller.poll((await caller.connect(email)).authReqId)],
    ['a connect request with a popup', (email) => caller.post('/v1/bc-authorize', { login_hint: email, code_challenge: 'x'.repeat(43), state: 's'.repeat(22) }, { headers: { Origin: 'http://localhost:4000' } })], // prettier-ignore
    ['a sign-in to the web app with a wrong password', webSignIn],
  ];

  // What is done after an answer makes the next one wait: it tells as much as the time of the answer itself.
  test.each(asked)('of %s the database is asked the same, in and after the answer', async (_, ask) => {
    const statements: Record<string, string[]> = {};
    for (const email of [KNOWN, UNKNOWN]) {
      await ask(email);
      await setTimeout(50);
      noted.length = 0;
      await ask(email);
      await setTimeout(50);
      statements[email] = [...noted];
    }
    expect(statements[KNOWN]!.length).toBeGreaterThan(0);
    expect(statements[KNOWN]).toEqual(statements[UNKNOWN]);
  });

  // Times are compared with each other: whatever slows the machine down slows both. Which of a pair comes first is left
  // to chance: in a fixed order what the machine does at every fourth call, as tidying its memory, would fall on one side.
  test.each(asked)(
    `nobody learns from 2 × ${String(TRIES)} of %s, by the answers or their times`,
    async (what, ask) => {
      const times: Record<string, number[]> = { [KNOWN]: [], [UNKNOWN]: [] };
      const shapes: Record<string, Set<string>> = { [KNOWN]: new Set(), [UNKNOWN]: new Set() };
      const random = new Random(TRIES);
      for (let i = 0; i < TRIES; i++) {
        for (const email of random.chance(0.5) ? [KNOWN, UNKNOWN] : [UNKNOWN, KNOWN]) {
          const start = performance.now();
          const answer = await ask(email);
          times[email]!.push(performance.now() - start);
          shapes[email]!.add(shapeOf(answer));
        }
      }
      expect(shapes[KNOWN]).toEqual(shapes[UNKNOWN]);
      const chance = chanceAbove(times[KNOWN]!, times[UNKNOWN]!);
      process.stdout.write(
        `${what}: median ${median(times[KNOWN]!).toFixed(2)} ms with an account, ${median(times[UNKNOWN]!).toFixed(2)} ms ` +
          `without; an answer with is the slower one in ${(chance * 100).toFixed(1)} % of pairs\n`,
      );
      // By chance alone it is within 0.5 ± 0.07 in 999 of 1000 runs.
      expect(Math.abs(chance - 0.5)).toBeLessThan(0.12);
    },
  );
});
