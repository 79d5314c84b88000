import type { Fault } from '../../../demo/service/faults/FaultPlan.js';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { type RunningService, startService } from '../../../demo/service/startService.js';
import { seededRandom } from '../../bench/seededRandom.js';
import { isAdsError } from '../../../src/errors.js';
import type { AdsOptions } from '../../../src/options.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { until } from '../../helpers/until.js';
import { FakeKeyStore, FakeTabs, FakeWorld } from '../../unit/service/FakeWorld.js';

/*
 * Tabs of one browser and the real service. Clocks are moved by the tests, those of the tabs and that of the service together, so
 * that hours pass in no time.
 */

const { email, password } = DEMO_PLAYER;
const LIVES = process.env['DEEP'] ? 400 : 4;
const ACTS = 150;

let service: RunningService;
let browser: FakeBrowser;

class TabWorld extends FakeWorld {
  override randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
}

interface Tab {
  readonly world: TabWorld;
  readonly client: ServiceClient;
}

/** Tabs that share their keys and hear each other. */
class FakeBrowser {
  tabs: Tab[] = [];
  private readonly channels = new FakeTabs();
  private readonly keys = new FakeKeyStore();
  private monotonic = 1000;

  constructor(private readonly sessionBinding: 'none' | 'dpop') {}

  /** @param entries what the tab's storage holds */
  open(entries: ReadonlyMap<string, string> = new Map()): Tab {
    const world = new TabWorld(this.channels);
    Object.assign(world, { keys: this.keys, monotonic: this.monotonic, wall: service.clock.now() });
    entries.forEach((value, key) => world.storage.setItem(key, value));
    const { sessionBinding } = this;
    const { apiKey, privateKey } = DEMO_APPLICATION;
    const options = { apiKey, privateKey, baseUrl: service.baseUrl, persistSession: 'tab', sessionBinding };
    const tab = { world, client: new ServiceClient(options as AdsOptions, world) };
    this.tabs.push(tab);
    return tab;
  }

  duplicate({ world }: Tab): Tab {
    return this.open(new Map(world.storage.entries));
  }

  /** The page goes. What it has stored stays with its tab. */
  end(tab: Tab): ReadonlyMap<string, string> {
    tab.world.tell('hidden');
    tab.world.tell('leaving');
    const kept = new Map(tab.world.storage.entries);
    this.close(tab);
    return kept;
  }

  close(tab: Tab): void {
    this.tabs = this.tabs.filter((other) => other !== tab);
    tab.client.destroy();
  }

  async pass(ms: number): Promise<void> {
    service.clock.advance(ms);
    this.monotonic += ms;
    for (const { world } of this.tabs) await world.advance(ms);
  }

  sleep(ms: number): void {
    service.clock.advance(ms);
    for (const { world } of this.tabs) world.sleep(ms);
  }
}

const rest = (ms: number): Promise<void> => new Promise((rested) => setTimeout(rested, ms));
const decide = (state: 'confirmed' | 'denied'): Promise<unknown> =>
  service.db.run(`UPDATE connect_requests SET state = ? WHERE state = 'pending'`, state);
const aliveSessions = (): Promise<unknown[]> =>
  service.db.all('SELECT player_session_id FROM player_sessions WHERE revoked_at IS NULL');

/** Half an hour, in which tokens are renewed several times. */
async function halfAnHour(): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await browser.pass(30_000);
    await rest(10);
  }
}

beforeEach(async () => {
  service = await startService({ connect: { intervalSeconds: 5, expiresInSeconds: 300 } });
});
afterEach(async () => {
  for (const tab of [...browser.tabs]) browser.close(tab);
  await service.close();
});

describe.each(['none', 'dpop'] as const)('a hidden tab that the player duplicates (binding: %s)', (binding) => {
  beforeEach(() => (browser = new FakeBrowser(binding)));

  it('leaves its session to the copy, which keeps it for as long as it likes', async () => {
    const tab = browser.open();
    await tab.client.login(email, password);
    tab.world.tell('hidden');
    const copy = browser.duplicate(tab);
    expect([tab.client.session.state, copy.client.session.state]).toEqual(['signedOut', 'connected']);
    expect(tab.world.storage.entries.size).toBe(0);
    await halfAnHour();
    expect(await copy.client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
    tab.world.tell('visible');
    await halfAnHour();
    expect([tab.client.session.state, copy.client.session.state]).toEqual(['signedOut', 'connected']);
    expect(await aliveSessions()).toHaveLength(1);
  });

  it('leaves it also while its tokens are being renewed, whoever of the two is answered last', async () => {
    const tab = browser.open();
    await tab.client.login(email, password);
    tab.world.tell('hidden');
    const entries = new Map(tab.world.storage.entries);
    service.faults.add({ fault: { kind: 'delay', ms: 300 }, path: '/api/v1/token', times: 1 });
    // Renewed ninety seconds before their end.
    await browser.pass(511_000);
    const copy = browser.open(entries);
    expect(tab.client.session.state).toBe('signedOut');
    await rest(600);
    await halfAnHour();
    expect(await copy.client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
  });

  it('leaves its connect request to the copy, which goes on asking', async () => {
    const tab = browser.open();
    const { game } = await tab.client.connect(email);
    const wait = game.waitForGameConnect();
    tab.world.tell('hidden');
    const copy = browser.duplicate(tab);
    await expect(wait).rejects.toMatchObject({ code: 'session/superseded' });
    expect([tab.client.session.state, copy.client.session.state]).toEqual(['signedOut', 'pending']);
    await decide('confirmed');
    await until(async () => {
      await browser.pass(5_000);
      return copy.client.session.state === 'connected';
    });
    await halfAnHour();
    expect(await copy.client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
  });

  it('leaves it to the copy that began last', async () => {
    const tab = browser.open();
    await tab.client.login(email, password);
    tab.world.tell('hidden');
    const entries = new Map(tab.world.storage.entries);
    const copies = [1, 2, 3].map(() => browser.open(entries));
    expect(copies.map(({ client }) => client.session.state)).toEqual(['signedOut', 'signedOut', 'connected']);
    await halfAnHour();
    expect(await copies[2]!.client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
  });
});

/** What goes wrong on a bad network. Nothing overtakes: to the service, a renewal that comes after its successor is a theft. */
const FAULTS: readonly (readonly [Fault, number])[] = [
  [{ kind: 'drop-after' }, 0.15],
  [{ kind: 'drop-before' }, 0.1],
  [{ kind: 'status', status: 503 }, 0.1],
  [{ kind: 'truncate' }, 0.05],
  [{ kind: 'html' }, 0.05],
];

/** One browser in which players do what players do, while the network comes and goes. */
class BrowserLife {
  readonly faults: string[] = [];
  private readonly open = new Map<string, number>();
  private readonly random: () => number;
  private isShaky = false;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  private get tab(): Tab {
    return this.pick(browser.tabs);
  }

  /** What a client has promised comes to an end, and a failure has its code. */
  private follow(what: string, call: Promise<unknown>): void {
    this.open.set(what, (this.open.get(what) ?? 0) + 1);
    const settle = (): unknown => this.open.set(what, this.open.get(what)! - 1);
    call.then(settle, (error: unknown) => {
      settle();
      if (!isAdsError(error)) this.faults.push(`${what} has failed with ${String(error)}`);
    });
  }

  private connect(signal?: AbortSignal): void {
    const options = { replace: this.random() < 0.3, ...(signal && { signal }) };
    const call = this.tab.client.connect(email, options);
    this.follow(
      'connect',
      call.then(({ game }) => game.waitForGameConnect()),
    );
  }

  private readonly acts: readonly (() => unknown)[] = [
    () => browser.tabs.length < 4 && browser.open(),
    () => this.connect(),
    () => this.connect(),
    () => {
      const control = new AbortController();
      this.connect(control.signal);
      setTimeout(() => control.abort(), this.random() * 100);
    },
    () => this.follow('login', this.tab.client.login(email, password)),
    () => this.follow('wait', this.tab.client.waitForGameConnect()),
    () => this.follow('getPlayer', this.tab.client.getPlayer()),
    () => this.follow('getPlayer', this.tab.client.getPlayer()),
    () => this.follow('getAd', this.tab.client.getAd('cinema-screen')),
    () => browser.open(browser.end(this.tab)),
    () => browser.tabs.length > 1 && browser.end(this.tab),
    () => browser.tabs.length < 4 && browser.duplicate(this.tab),
    ...(['hidden', 'visible', 'visible', 'online'] as const).map((event) => () => this.tab.world.tell(event)),
    ...[1000, 3000, 3000, 10_000].map((ms) => () => browser.pass(this.random() * ms)),
    // What was lost can be asked for once more for ten minutes, so nobody sleeps before it was.
    () => this.isShaky || browser.pass(this.random() * 300_000),
    () => this.isShaky || browser.sleep(this.random() * 300_000),
    () => decide('confirmed'),
    () => decide('confirmed'),
    () => this.random() < 0.3 && decide('denied'),
    () => this.shake(),
    () => this.calm(),
    () => this.calm(),
  ];

  private shake(): void {
    this.isShaky = true;
    for (const [fault, probability] of FAULTS) service.faults.add({ fault, probability });
  }

  private async calm(): Promise<void> {
    service.faults.clear();
    // What was lost is asked for once more after half a minute at most.
    await browser.pass(40_000);
    await rest(50);
    this.isShaky = false;
  }

  async play(): Promise<void> {
    browser.open();
    for (let i = 0; i < ACTS; i++) {
      await this.pick(this.acts)();
      await rest(this.pick([0, 2, 5, 20]));
      for (const { client } of browser.tabs)
        if (client.session.expiredReason === 'session')
          this.faults.push(`act ${i}: signed out, though nobody wanted it`);
    }
    await this.calm();
    for (const { world } of browser.tabs) world.tell('visible');
    for (let i = 0; i < 20; i++) {
      await browser.pass(5_000);
      await rest(30);
      if (i === 5) await decide('confirmed');
    }
    for (const { client } of browser.tabs) {
      const { state } = client.session;
      if (state === 'connected') await client.getPlayer().catch((error: unknown) => this.faults.push(String(error)));
      else if (['connecting', 'authenticating', 'pending'].includes(state)) this.faults.push(`a tab stays ${state}`);
    }
    for (const [what, count] of this.open) if (count > 0) this.faults.push(`${count} × ${what} has no end`);
  }
}

it(`whatever players, tabs and the network do, nobody is signed out, and all that was asked for ends (${LIVES} lives)`, async () => {
  for (let seed = 1; seed <= LIVES; seed++) {
    browser = new FakeBrowser(seed % 2 === 0 ? 'dpop' : 'none');
    const life = new BrowserLife(Number(process.env['SEED'] ?? 0) + seed);
    await life.play();
    expect({ seed, faults: life.faults }).toEqual({ seed, faults: [] });
    for (const tab of [...browser.tabs]) {
      browser.close(tab);
      expect(tab.world.leftovers).toBe(0);
    }
    await service.close();
    service = await startService({ connect: { intervalSeconds: 5, expiresInSeconds: 300 } });
  }
}, 600_000);
