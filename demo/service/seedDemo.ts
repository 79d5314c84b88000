import type { PasswordCost } from './accounts/passwords.js';
import { DEFAULT_PASSWORD_COST } from './accounts/passwords.js';
import { Players } from './accounts/Players.js';
import { LOOPBACK_ORIGINS } from './application/origins.js';
import type { Database } from './database/Database.js';
import type { Random } from './secrets.js';

/** The demo's game, as its publisher registered it. Good for nothing but a service on the same machine. */
export const DEMO_APPLICATION = {
  applicationId: 'app_rush_street',
  name: 'Rush Street',
  apiKey: 'demo-api-key',
  privateKey: 'demo-private-key-for-localhost-only',
} as const;

export const DEMO_PLAYER = {
  email: 'ada@example.com',
  password: 'correct horse battery',
  displayName: 'Ada',
} as const;

interface DemoAd {
  readonly creative: string;
  readonly alt: string;
  /** Last part of the click-through address; the brands are invented. */
  readonly brand: string;
}

interface DemoSurface {
  readonly adSurfaceId: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly ads: readonly DemoAd[];
}

const ad = (creative: string, brand: string, alt: string): DemoAd => ({ creative, brand, alt });

const FIZZWICK = ad('fizzwick-320x180.png', 'fizzwick', 'Fizzwick: citrus soda that pops');
const PEDALIA = ad('pedalia-320x180.png', 'pedalia', 'Pedalia: city bikes, the hill is optional');
const ORBITOAST = ad('orbitoast-320x180.png', 'orbitoast', 'Orbitoast: breakfast with lift-off');
const BRAMBO = ad('brambo-300x250.png', 'brambo', 'Brambo Boots: made for puddles');
const LUMENFIG = ad('lumenfig-300x250.png', 'lumenfig', 'Lumen & Fig: tea for quiet evenings');
const TIDEPOOL = ad('tidepool-728x90.png', 'tidepool', 'Tidepool Arcade: open till late');
const NIMBEL = ad('nimbel-728x90.png', 'nimbel', 'Nimbel Airships: the slow way is the view');
const SOLVANE = ad('solvane-160x600.png', 'solvane', 'Solvane: your roof has a day job');
const GLACIRELLE = ad('glacirelle-160x600.png', 'glacirelle', 'Glacirelle: gelato, three scoops of summer');
const QUILLOW = ad('quillow-400x200.png', 'quillow', 'Quillow: pillows that remember clouds');
const MAPPLEWOOD = ad('mapplewood-400x200.png', 'mapplewood', 'Mapplewood Radio 98.9: good morning, street');
/** A video of six seconds. */
const KOMETA = ad('comet-320x180.webm', 'kometa', 'Kometa: the open-air cinema, tonight');

/** Eight places on one street; the last two show what a game must cope with. */
export const DEMO_SURFACES: readonly DemoSurface[] = [
  surface('main-street-billboard', 'Main Street billboard', 320, 180, [FIZZWICK, PEDALIA, ORBITOAST]),
  surface('cinema-screen', 'Screen above the cinema', 320, 180, [KOMETA]),
  surface('corner-shop-poster', 'Poster at the corner shop', 300, 250, [BRAMBO, LUMENFIG]),
  surface('bridge-banner', 'Banner on the bridge', 728, 90, [TIDEPOOL, NIMBEL]),
  surface('tower-banner', 'Banner on the tower', 160, 600, [SOLVANE, GLACIRELLE]),
  surface('park-board', 'Board at the park', 400, 200, [QUILLOW, MAPPLEWOOD]),
  surface('empty-lot-board', 'Board at the empty lot (no ad is booked)', 320, 180, []),
  surface('broken-sign', 'Broken sign (its image is missing)', 300, 250, [
    ad('missing-300x250.png', 'missing', 'An image that does not exist'),
  ]),
];

/** Fills an empty database with the demo's game, surfaces, ads and player. Leaves a filled one as it is. */
export async function seedDemo(
  database: Database,
  random: Random,
  passwordCost: PasswordCost = DEFAULT_PASSWORD_COST,
): Promise<void> {
  await database.transaction(async (sql) => {
    // Of several copies that start at the same time, one fills it.
    const isEmpty = await sql.run(
      `INSERT INTO applications (application_id, name, api_key, private_key, allowed_origins) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      DEMO_APPLICATION.applicationId,
      DEMO_APPLICATION.name,
      DEMO_APPLICATION.apiKey,
      DEMO_APPLICATION.privateKey,
      JSON.stringify([LOOPBACK_ORIGINS]),
    );
    if (isEmpty === 0) return;
    for (const [position, { adSurfaceId, name, width, height, ads }] of DEMO_SURFACES.entries()) {
      await sql.run(
        'INSERT INTO ad_surfaces (ad_surface_id, application_id, name, width, height, position) VALUES (?, ?, ?, ?, ?, ?)',
        adSurfaceId,
        DEMO_APPLICATION.applicationId,
        name,
        width,
        height,
        position,
      );
      for (const [turn, { creative, brand, alt }] of ads.entries()) {
        await sql.run(
          `INSERT INTO ads (ad_id, ad_surface_id, creative, width, height, click_url, alt, position)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          `ad_${adSurfaceId}_${String(turn + 1)}`,
          adSurfaceId,
          creative,
          width,
          height,
          `https://example.com/${brand}`,
          alt,
          turn,
        );
      }
    }
    const { email, password, displayName } = DEMO_PLAYER;
    await new Players(database, random, passwordCost).create(email, password, displayName, sql);
  });
}

function surface(adSurfaceId: string, name: string, width: number, height: number, ads: DemoAd[]): DemoSurface {
  return { adSurfaceId, name, width, height, ads };
}
