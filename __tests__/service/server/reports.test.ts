import { request } from 'node:http';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { adEvent } from './adEvents.js';
import {
  IMPRESSION,
  ledgerOf,
  placement,
  SUMMARY,
  video,
  VIEWABLE,
  type Fact,
  type ReportedEvent,
} from './placements.js';
import { ServiceCaller } from './ServiceCaller.js';

describe('the report page', () => {
  let service: RunningService;
  let caller: ServiceCaller;

  beforeEach(async () => {
    service = await startService();
    caller = new ServiceCaller(service);
  });
  afterEach(() => service.close());

  const report = (...events: unknown[]) => caller.post('/v1/events', { events });
  const open = (path = '', headers: Record<string, string> = {}) =>
    fetch(`${service.origin}/reports${path}`, { headers });
  const text = async (path = '') => (await open(path)).text();
  const shownIds = (page: string) => [...page.matchAll(/data-id="([^"]+)"/g)].map(([, id]) => id);

  test('says so while nothing has arrived', async () => {
    expect(await text()).toContain('Nothing has arrived yet');
  });

  test('lists the newest event first', async () => {
    const events = [
      adEvent(),
      adEvent({ kind: 'click', adSurfaceId: undefined }),
      adEvent({ kind: 'finish', finishReason: 'destroyed' }),
    ];
    for (const event of events) await report(event);
    expect(shownIds(await text())).toEqual(events.map(({ id }) => id).reverse());
  });

  test('filters by surface, by kind and by both, and ignores what is neither', async () => {
    const board = adEvent();
    const click = adEvent({ kind: 'click' });
    const bridge = adEvent({ adSurfaceId: 'bridge-banner', kind: 'click' });
    await report(board, click, bridge);
    expect(shownIds(await text('?surface=park-board'))).toEqual([click.id, board.id]);
    expect(shownIds(await text('?kind=click'))).toEqual([bridge.id, click.id]);
    expect(shownIds(await text('?surface=park-board&kind=click'))).toEqual([click.id]);
    expect(shownIds(await text('?surface=&kind=nonsense'))).toHaveLength(3);
    expect(await text('?surface=moon')).toContain('No event fits this choice');
  });

  test('counts per surface and kind, whatever the filter shows', async () => {
    await report(adEvent(), adEvent(), adEvent({ kind: 'click' }), adEvent({ adSurfaceId: undefined, kind: 'click' }));
    const page = await text('?kind=error');
    const row = (name: string) => {
      const [, cells = ''] =
        new RegExp(`${name}[^]*?</th>([^]*?)</tr>`).exec(page.slice(page.indexOf('counts-title'))) ?? [];
      return [...cells.matchAll(/data-kind="([^"]+)">(\d+)</g)].flatMap(([, kind, n]) => (n === '0' ? [] : [kind, n]));
    };
    expect(row('Board at the park')).toEqual(['Visible', '2', 'Click', '1']);
    expect(row('Sprites of the game')).toEqual(['Click', '1']);
    expect(row('All')).toEqual(['Visible', '2', 'Click', '2']);
  });

  test('shows the newest hundred and says how many there are', async () => {
    for (let batch = 0; batch < 3; batch += 1) await report(...Array.from({ length: 40 }, () => adEvent()));
    const page = await text();
    expect(shownIds(page)).toHaveLength(100);
    expect(page).toContain('Newest 100 of 120 events');
  });

  test('shows what is new to a page that is open, and nothing while there is nothing new', async () => {
    await report(adEvent());
    const first = await open('/live');
    const tag = first.headers.get('ETag') ?? '';
    expect(shownIds(await first.text())).toHaveLength(1);
    expect((await open('/live', { 'If-None-Match': tag })).status).toBe(304);
    await report(adEvent());
    expect(shownIds(await (await open('/live', { 'If-None-Match': tag })).text())).toHaveLength(2);
  });

  test('shows what is new to a page that is open after more than a thousand events, too', async () => {
    for (let batch = 0; batch < 21; batch += 1) await report(...Array.from({ length: 50 }, () => adEvent()));
    const first = await open('/live');
    expect(await first.text()).toContain('Newest 100 of 1050 events');
    const click = adEvent({ kind: 'click' });
    await report(click);
    const next = await open('/live', { 'If-None-Match': first.headers.get('ETag') ?? '' });
    expect(shownIds(await next.text())[0]).toBe(click.id);
  });

  test('names the placements with the newest events first, each once and with its surface', async () => {
    const board = placement([{ kind: 'loaded' }, IMPRESSION]);
    const banner = placement([{ kind: 'loaded' }], { adSurfaceId: 'bridge-banner' });
    const ofNone = placement([{ kind: 'loaded' }], { adSurfaceId: undefined });
    await report(board[0], ...banner, ...ofNone);
    await report(board[1]);
    const page = await text();
    const named = [...page.matchAll(/href="\/reports\/placements\/app_rush_street\/([^"]+)"[^>]*>([^]*?)<\/li>/g)];
    expect(named.map(([, id]) => id)).toEqual([board, ofNone, banner].map(([event]) => event?.placementId));
    expect(named[0]?.[2]).toContain('Board at the park');
    expect(named[2]?.[2]).toContain('Banner on the bridge');
  });

  describe('the figures per surface and ad', () => {
    const figures = (page: string, name: string) => {
      const table = page.slice(page.indexOf('class="card figures"'), page.indexOf('</table>'));
      const [, cells = ''] = new RegExp(`${name}[^]*?</th>([^]*?)</tr>`).exec(table) ?? [];
      return Object.fromEntries(
        [...cells.matchAll(/data-label="([^"]+)">\s*([^<]*?)\s*</g)].map(
          ([, label = '', value = '']) => [label, value] as const,
        ),
      );
    };
    const verdicts = (verdict: string): Fact => ({ ...SUMMARY, verdicts: { 'iig-display': verdict } });

    test('add up: served, rendered, measurable, viewable, undetermined, time in view, reasons', async () => {
      for (let serve = 0; serve < 6; serve += 1) await caller.get('/v1/ad-surfaces/park-board/ad');
      const bridge = { adSurfaceId: 'bridge-banner', adId: 'ad_bridge-banner_1' };
      const ad = { adId: 'ad_park-board_1' };
      await report(
        ...placement([IMPRESSION, VIEWABLE, verdicts('viewable')], ad),
        ...placement([IMPRESSION, verdicts('notViewable')], ad),
        ...placement([IMPRESSION, verdicts('undetermined')], ad),
        ...placement([IMPRESSION], ad),
        ...placement([{ kind: 'loaded' }], ad),
        ...placement([IMPRESSION, VIEWABLE], bridge),
      );
      const page = await text();
      expect(figures(page, 'ad_park-board_1')).toEqual({
        Served: '3',
        Rendered: '4',
        Measurable: '2',
        Viewable: '1',
        Rate: '50.0 %',
        Undetermined: '2',
        'In view': '15.6 s',
        'Refused clicks': '0',
        'Top reasons': 'obstructed 2.1 s, clipped 0.3 s',
      });
      expect(figures(page, 'ad_bridge-banner_1')).toMatchObject({ Rendered: '1', Viewable: '1', Undetermined: '0' });
      expect(figures(page, 'All')).toMatchObject({ Served: '6', Rendered: '5', Measurable: '3', Viewable: '2' });
    });

    test('take the newest summary of a placement by its ordinal, in whatever order they arrive', async () => {
      const events = placement([IMPRESSION, { ...verdicts('notViewable'), isFinal: false }, verdicts('viewable')]);
      for (const event of [...events].reverse()) await report(event);
      expect(figures(await text(), 'All')).toMatchObject({ Viewable: '1', 'In view': '5.2 s' });
    });

    test('E1: add up presses that were refused as clicks, of ads that nobody has seen, too, each once', async () => {
      const ad = { adId: 'ad_park-board_1' };
      const refused = (obstructed: number, notOnCanvas: number): Fact => ({
        ...SUMMARY,
        refusedClicks: { obstructed, notOnCanvas },
      });
      await report(
        ...placement([IMPRESSION, { ...refused(2, 1), isFinal: false }, refused(4, 1)], ad),
        ...placement([{ kind: 'loaded' }, refused(0, 3)], ad),
        ...placement([IMPRESSION, SUMMARY], { adSurfaceId: 'bridge-banner', adId: 'ad_bridge-banner_1' }),
      );
      const page = await text();
      expect(figures(page, 'ad_park-board_1')).toMatchObject({ Rendered: '1', 'Refused clicks': '8' });
      expect(figures(page, 'ad_bridge-banner_1')).toMatchObject({ 'Refused clicks': '0' });
      expect(figures(page, 'All')).toMatchObject({ 'Refused clicks': '8' });
    });

    test('keep a placement viewable that was so once, whatever a later summary says', async () => {
      await report(
        ...placement([IMPRESSION, VIEWABLE, verdicts('notViewable')]),
        ...placement([IMPRESSION, VIEWABLE, verdicts('undetermined')]),
      );
      expect(figures(await text(), 'All')).toMatchObject({ Rendered: '2', Measurable: '2', Viewable: '2' });
    });

    test('are those of placements: what is told of no placement is listed, and counts nowhere', async () => {
      const ofNone = { placementId: undefined, sequence: undefined, ordinal: undefined };
      const event = adEvent({ ...IMPRESSION, ...ofNone });
      await report(event, adEvent({ ...VIEWABLE, ...ofNone }));
      const page = await text();
      expect(shownIds(page)).toContain(event.id);
      expect(figures(page, 'All')['Rendered'] ?? '0').toBe('0');
      expect(page).not.toContain('/placements/');
    });

    test('of one game, its placements and its books are not changed by what another reports under the same ids', async () => {
      await service.db.run(
        `INSERT INTO applications (application_id, name, api_key, private_key, allowed_origins)
         VALUES ('app_other', 'Other', 'other-key', 'other-private-key', '[]')`,
      );
      const credential = { 'Api-Key': 'other-key', 'Private-Key': 'other-private-key' };
      const books = ledgerOf();
      const last = { ...verdicts('notViewable'), refusedClicks: { obstructed: 2 } };
      const own = placement([IMPRESSION, { ...verdicts('notViewable'), isFinal: false }, last]);
      const angle = (timeInViewMs: number, ms: number): Fact => ({
        ...verdicts('viewable'),
        timeInViewMs,
        reasonsMs: { angle: ms },
      });
      // One event more: their newest summary has a later ordinal. The one before has the id of the first game's newest.
      const facts = [IMPRESSION, angle(500, 300), { ...angle(900, 400), refusedClicks: { obstructed: 7 } }];
      const theirs = placement([...facts.map((fact) => ({ ...fact, isFinal: false })), angle(999, 500)]).map(
        (event, i) => ({
          ...event,
          id: own[i]?.id ?? event.id,
          placementId: own[0]!.placementId,
          adSurfaceId: undefined,
          adId: 'ad_of_theirs',
        }),
      );
      await caller.post('/v1/events', { ledger: books, events: own });
      const theirBooks = { ...books, revision: 9, created: 30, pending: 22 };
      await caller.post('/v1/events', { ledger: theirBooks, events: theirs }, { credential });

      const page = await text();
      expect(figures(page, 'ad_park-board_1')).toMatchObject({
        Rendered: '1',
        Measurable: '1',
        Viewable: '0',
        'In view': '5.2 s',
        'Refused clicks': '2',
        'Top reasons': 'obstructed 0.7 s, clipped 0.1 s',
      });
      expect(figures(page, 'ad_of_theirs')).toMatchObject({
        Rendered: '1',
        Measurable: '1',
        Viewable: '1',
        'In view': '1.0 s',
        'Refused clicks': '0',
        'Top reasons': 'angle 0.5 s',
      });
      const exported: unknown = await (
        await open(`/placements/app_rush_street/${own[0]!.placementId}/events.json`)
      ).json();
      expect(exported).toMatchObject({ chain: { state: 'intact' }, events: own });
      const { applications } = (await (await open('/ledger.json')).json()) as { applications: unknown[] };
      expect(applications).toMatchObject([
        { applicationId: 'app_other', outboxes: 1, created: 30, stored: 4 },
        { applicationId: 'app_rush_street', outboxes: 1, created: 10, stored: 3 },
      ]);
    });

    test('count a placement once per standard, however many of its events say so', async () => {
      await report(...placement([IMPRESSION, VIEWABLE, VIEWABLE, { ...VIEWABLE, standard: 'mrc-display' }, SUMMARY]));
      expect(figures(await text(), 'All')).toMatchObject({ Rendered: '1', Viewable: '1' });
      expect(figures(await text('?standard=mrc-display'), 'All')).toMatchObject({ Viewable: '1' });
      expect(figures(await text('?standard=full-view'), 'All')).toMatchObject({ Measurable: '1', Viewable: '0' });
      // No ad has this standard, whatever every object has by this name.
      expect(figures(await text('?standard=constructor'), 'All')).toMatchObject({ Measurable: '0', Viewable: '0' });
    });
  });

  describe('the ledger', () => {
    const ledger = async () =>
      ((await (await open('/ledger.json')).json()) as { applications: Record<string, unknown>[] }).applications;

    test('adds up the newest ledgers of an application’s outboxes, beside what is stored', async () => {
      const books = ledgerOf();
      const event = adEvent();
      await caller.post('/v1/events', { durability: 'disk', ledger: books, events: [event] });
      await caller.post('/v1/events', { ledger: { ...books, revision: 2, pending: 1, accepted: 6 }, events: [event] });
      const before = Date.now();
      await caller.post('/v1/events', { durability: 'memory', ledger: ledgerOf(), events: [] });
      const now = await ledger();
      expect(now).toEqual([
        {
          applicationId: 'app_rush_street',
          name: 'Rush Street',
          outboxes: 2,
          outboxesInMemory: 1,
          created: 20,
          accepted: 11,
          duplicate: 2,
          rejected: 2,
          dropped: { overflow: 2, tooOld: 0, tooLarge: 0, corrupt: 0, storageLost: 0 },
          pending: 3,
          remainder: 0,
          stored: 1,
          unbooked: 0,
          newestAt: expect.any(Number) as number,
        },
      ]);
      expect(Number(now[0]?.['newestAt'])).toBeGreaterThanOrEqual(before);
      expect(await text()).toContain('The books balance');
    });

    test('R3: tells of events that are here and in no books', async () => {
      const events = [adEvent(), adEvent(), adEvent()];
      const books = ledgerOf({ created: 3, accepted: 0, duplicate: 0, pending: 1 });
      await caller.post('/v1/events', { ledger: books, events: events.slice(0, 1) });
      expect(await ledger()).toMatchObject([{ stored: 1, unbooked: 0 }]);
      await caller.post('/v1/events', { events: events.slice(1) });
      expect(await ledger()).toMatchObject([{ created: 3, accepted: 1, pending: 0, stored: 3, unbooked: 2 }]);
      expect(await text()).toContain('3 stored here, 2 of them in no books yet');
    });

    test('shows by how much books are off that do not balance', async () => {
      await caller.post('/v1/events', { ledger: ledgerOf({ created: 13 }), events: [] });
      expect(await ledger()).toMatchObject([{ remainder: 3 }]);
      expect(await text()).toContain('Off by 3');
    });

    test('and its page survive games that claim whatever numbers there are', async () => {
      const max = Number.MAX_SAFE_INTEGER;
      await caller.post('/v1/events', { ledger: ledgerOf({ revision: max, created: max, pending: max }), events: [] });
      await service.db.transaction(async (sql) => {
        for (let copy = 0; copy < 1_100; copy++) {
          await sql.run(
            `INSERT INTO outboxes
             SELECT application_id, outbox_id || ?, revision, created, accepted, duplicate, rejected, dropped_overflow,
               dropped_too_old, dropped_too_large, dropped_corrupt, dropped_storage_lost, pending, durability, received_at
             FROM outboxes LIMIT 1`,
            `-${String(copy)}`,
          );
        }
      });
      expect(await ledger()).toMatchObject([{ outboxes: 1_101 }]);
      for (const path of ['', '/live']) expect((await open(path)).status).toBe(200);
    });

    test('is there, and empty, before any game has sent its books', async () => {
      expect(await ledger()).toMatchObject([{ outboxes: 0, created: 0, remainder: 0, newestAt: null }]);
    });
  });

  describe('the page of a placement', () => {
    const address = (event: ReportedEvent | undefined) => `/placements/app_rush_street/${event?.placementId ?? ''}`;
    const chain = async (event: ReportedEvent | undefined) =>
      ((await (await open(`${address(event)}/events.json`)).json()) as { chain: unknown }).chain;
    const FACTS = [{ kind: 'loaded' }, IMPRESSION, VIEWABLE, { kind: 'click' }, SUMMARY];

    test('shows verdicts, timeline and reasons as pictures without script or style, and is linked', async () => {
      const [first, ...others] = placement(FACTS);
      await report(first, ...others);
      expect(await text()).toContain(`href="/reports${address(first)}"`);
      const page = await text(address(first));
      expect(page).toContain('Chain intact');
      expect(page).toMatch(/iig-display[^]*Viewable[^]*full-view[^]*Not viewable/);
      expect(page).toMatch(/<svg\s+class="timeline"[^]*class="line" d="M[\d.HV ]+"/);
      expect(page).toMatch(/obstructed[^]*87\.5 %/);
      expect(page).not.toMatch(/<script|<style| style=| on\w+="|NaN|undefined/);
    });

    test('E1: tells presses that were refused as clicks, by reason, apart from the clicks', async () => {
      const refusedClicks = { obstructed: 2, notOnCanvas: 1 };
      const refused = placement([{ kind: 'loaded' }, IMPRESSION, { ...SUMMARY, refusedClicks }]);
      await report(...refused);
      const page = await text(address(refused[0]));
      expect(page).toMatch(/Refused clicks[^]*3 \(obstructed 2, notOnCanvas 1\)/);
      expect(page).not.toContain('class="kind click"');
      const [first, ...others] = placement(FACTS);
      await report(first, ...others);
      expect(await text(address(first))).toMatch(/Refused clicks[^]*none/);
    });

    test('shows how far a video has played, and what was in view then', async () => {
      const kinds = ['start', 'firstQuartile', 'midpoint'];
      const [first, ...others] = placement([{ kind: 'loaded' }, IMPRESSION, ...kinds.map(video), SUMMARY]);
      await report(first, ...others);
      const page = await text(address(first));
      expect(page).toContain('Video of 6.0 s');
      expect(page.match(/80 % in view/g)).toHaveLength(3);
      expect(page).toMatch(/Midpoint[^]*after 1\.0 s[^]*Third quartile[^]*not reached[^]*Complete[^]*not reached/);
      const image = placement(FACTS);
      await report(...image);
      expect(await text(address(image[0]))).not.toContain('Video');
    });

    test('marks moments where they are on the timeline, however late in the session the ad was placed', async () => {
      const early = placement(FACTS);
      const late = placement(FACTS).map((event) => ({ ...event, time: Number(event['time']) + 600_000 }));
      await report(...early);
      const marks = async (event: ReportedEvent | undefined) =>
        [...(await text(address(event))).matchAll(/class="mark-line" x1="([\d.]+)"/g)].map(([, x]) => Number(x));
      await report(...late);
      expect(await marks(late[0])).toEqual(await marks(early[0]));
      // 500 and 750 ms of 6.25 s.
      expect(await marks(early[0])).toEqual([70, 84]);
    });

    test('finds the chain intact in whatever order the events arrived', async () => {
      const events = placement(FACTS);
      for (const event of [...events].reverse()) await report(event);
      expect(await chain(events[0])).toEqual({ state: 'intact', missing: [], broken: [] });
    });

    test('tells which events are not here, until they are', async () => {
      const events = placement(FACTS);
      await report(events[0], events[3], events[4]);
      expect(await chain(events[0])).toEqual({ state: 'incomplete', missing: [1, 2], broken: [] });
      await report(events[2], events[1]);
      expect(await chain(events[0])).toMatchObject({ state: 'intact' });
    });

    test('finds an event that was exchanged on the way, and one that was altered in the database', async () => {
      const events = placement(FACTS);
      await report(...events.map((event) => (event.sequence === 1 ? { ...event, percentageInView: 99 } : event)));
      expect(await chain(events[0])).toEqual({ state: 'broken', missing: [], broken: [2] });

      const others = placement(FACTS);
      await report(...others);
      const stored = JSON.stringify({ ...others[3], time: 1 });
      await service.db.run('UPDATE events SET event = ? WHERE event_id = ?', stored, others[3]?.id ?? '');
      expect(await chain(others[0])).toEqual({ state: 'broken', missing: [], broken: [3] });
      expect(await text(address(others[0]))).toContain('Chain broken at 3');
    });

    test('holds the chain of a newer game together, whose events say more than the service keeps', async () => {
      const events = placement(FACTS, { inventedLater: { deep: [1, 'é', null] } });
      await report(...events);
      expect(await chain(events[0])).toMatchObject({ state: 'intact' });
    });

    test('gives the events as they were made, in their order, for a replay', async () => {
      const events = placement(FACTS);
      await report(...[...events].reverse());
      const { events: exported } = (await (await open(`${address(events[0])}/events.json`)).json()) as object & {
        events: unknown;
      };
      expect(exported).toEqual(events);
    });

    test('is not found for a placement nobody reported', async () => {
      expect((await open('/placements/app_rush_street/nobody')).status).toBe(404);
      expect((await open('/placements/app_rush_street/a%00b/events.json')).status).toBe(404);
    });
  });

  test('shows markup in names as text', async () => {
    await service.db.run(`UPDATE ad_surfaces SET name = '<img src=x onerror=alert(1)>'`);
    await report(adEvent({ adId: '<script>alert(2)</script>' }));
    const page = await text('?surface=%22%3E%3Cscript%3Ealert(3)%3C/script%3E');
    const all = page + (await text());
    expect(all).not.toMatch(/<img|<script(?! src="\/reports\/reports\.js" defer>)/);
    expect(all).toContain('&lt;img');
    expect(all).toContain('&lt;script&gt;alert(2)');
  });

  test.each(['', '/live', '/ledger.json', '/reports.css', '/reports.js', '/nowhere'])(
    'the answer under /reports%s carries strict security headers and no inline code',
    async (path) => {
      await report(adEvent());
      const answer = await open(path);
      const policy = answer.headers.get('Content-Security-Policy') ?? '';
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toContain('unsafe');
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
      expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+="/);
    },
  );

  test('is refused under any name but the machine’s own, so that no page of the web can read it', async () => {
    const status = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const call = request(`${service.origin}/reports`, { headers: { Host: host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        call.on('error', reject).end();
      });
    expect(await status('rebound.example')).toBe(403);
    expect(await status('127.0.0.1.example:8080')).toBe(403);
    expect(await status('localhost:8080')).toBe(200);
    expect(await status('[::1]:8080')).toBe(200);
  });
});
