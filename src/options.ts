import type { ConsentProvider, ConsentSignals } from './consentRules.js';
import type { FrequencyRule, MixRules } from './mixRules.js';
import type { GameMeter } from './meter/GameMeter.js';
import type { Fallback, FallbackChooser, RefreshRule } from './placementRules.js';
import type { AdEvent } from './report/AdEvent.js';
import type { AdService } from './service/AdService.js';
import type { TestAnswer } from './testAnswers.js';
import type { ViewabilityStandard } from './viewability/ViewabilityStandards.js';

/** Where the embedded local service listens. Set `baseUrl` for every other service. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8321/api';

/**
 * A short-lived token for the application, minted by the game's own backend, which alone holds the private key. Written
 * either way, so that the answer of an OAuth token endpoint (RFC 6749 §5.1) can be returned as it is.
 *
 * The lifetime counts from now, in seconds; above 0, at most 86400. The client asks again 30 s before the end, or, where
 * no lifetime is given, when the service refuses the token.
 */
export type ApplicationToken = ({ readonly token: string } | { readonly access_token: string }) & {
  readonly expiresInSeconds?: number;
  readonly expires_in?: number | string;
};

/** Fetches an {@link ApplicationToken} within 10 s. The signal is aborted when nobody waits any more. */
export type TokenProvider = (request: { readonly signal: AbortSignal }) => Promise<ApplicationToken>;

/**
 * The application level, which every request carries: either a token provider (recommended), or the private key.
 * A private key shipped in a game is readable by everyone who plays it.
 */
export type AdsCredentials =
  | {
      /** Application API key from the publisher portal. */
      readonly apiKey: string;
      readonly getToken: TokenProvider;
      readonly privateKey?: never;
      readonly allowPlainPrivateKey?: never;
    }
  | {
      /** Application API key from the publisher portal. */
      readonly apiKey: string;
      /** Application private key from the portal. It signs the requests and never travels. */
      readonly privateKey: string;
      readonly getToken?: never;
      /**
       * Sends the private key itself with every request, for a service that cannot verify signatures.
       * @default false
       */
      readonly allowPlainPrivateKey?: boolean;
    };

/** Everything but the credentials. */
export interface AdsSettings {
  /**
   * Address of the service, without the version: `https://…/api`. Plain http only for localhost.
   * @default DEFAULT_BASE_URL
   */
  readonly baseUrl?: string;
  /**
   * The longest one call may take, repetitions included, in milliseconds, 1–120000.
   * @default 10000
   */
  readonly timeoutMs?: number;
  /**
   * The opacity from which something above a pixel of an ad blocks that pixel; above 0, at most 1.
   * @default 0.5
   */
  readonly blockingOpacity?: number;
  /**
   * Hosts creatives may come from; a host stands for its subdomains too. Left out: every https host. The page's own origin is
   * always allowed, also with `file:` or the scheme of a wrapper.
   */
  readonly creativeHosts?: readonly string[];
  /**
   * Hosts clicks on ads may lead to; a host stands for its subdomains too. Left out: every https host.
   */
  readonly clickHosts?: readonly string[];
  /**
   * Key of the texture a placed ad shows until its creative is there. Left out: a plain drawn panel.
   */
  readonly placeholder?: string;
  /**
   * What placements show while they have no ad, unless they say otherwise: `'placeholder'`, `'hide'`, `{ textureKey }`,
   * `{ houseAd: { url, clickUrl } }`, or a function that chooses.
   * @default 'placeholder'
   */
  readonly fallback?: Fallback | FallbackChooser;
  /**
   * Whether placements change their ad, unless they say otherwise: only after a viewable impression of the present one,
   * not before `minIntervalMs` (30 s, at least 5 s), and only while all of it is in view.
   * @default false
   */
  readonly refresh?: boolean | RefreshRule;
  /**
   * Draws the word for "ad" on every ad, unless its placement says otherwise: `true` for the ad's own word, or a text.
   * @default false
   */
  readonly label?: boolean | string;
  /**
   * Whether a signed-in player stays signed in when the tab reloads: `'tab'` keeps the session in the tab's
   * sessionStorage while the page is hidden or closed; `'none'` in memory only. A tab that is duplicated meanwhile leaves
   * the session to its copy. A game that is destroyed leaves it to the next one of the page.
   * @default 'none'
   */
  readonly persistSession?: 'none' | 'tab';
  /**
   * Whether a player's tokens are bound to this browser: `'dpop'` makes a key that WebCrypto uses and never gives away, and
   * proves with every request of the player that it is here (RFC 9449). Whoever copies what the page has stored, or sees a
   * token on its way, can do nothing with it. Needs an https: page (or localhost) and a service that knows DPoP: one that
   * grants tokens which are not bound is refused.
   * @default 'none'
   */
  readonly sessionBinding?: 'none' | 'dpop';
  /**
   * Whether the service is told what happens to ads: loaded, seen, blocked, clicked. Nothing about the player is.
   * @default true
   */
  readonly reporting?: boolean;
  /**
   * When an impression counts as viewable: ids of published standards (`iig-display`, `iig-video`, `mrc-display`,
   * `mrc-video`, `mrc-large-display`, `full-view`) and standards of one's own, 1–8, side by side. The first one leads:
   * time in view is told by it.
   * @default ['iig-display', 'mrc-display', 'full-view']
   */
  readonly standards?: readonly (string | ViewabilityStandard)[];
  /**
   * Share of the placements whose reports carry a trace of what was measured, as evidence, 0–1. Chosen by the hash of the
   * placement's id.
   * @default 0.01
   */
  readonly evidenceRatio?: number;
  /**
   * Called for every event before it is kept or sent, with what is known of the player's consent. Only an event for which it
   * returns `false` or throws is not reported: it leaves no trace in the books and no gap in the chain of the placement, and
   * the game receives it all the same. Called synchronously and often; event and consent are frozen. A promise is no
   * answer: the event is then not reported, and a warning says so.
   */
  readonly beforeReport?: (event: AdEvent, consent: ConsentSignals) => unknown;
  /**
   * What the player has consented to, for ad requests, trackers and `beforeReport`: a `ConsentSource`, which reads it from
   * the page, or the signals themselves, where a wrapper knows them; `AdsGlobalPlugin.setConsent` changes those. Left out:
   * nothing is known.
   */
  readonly consent?: ConsentProvider | ConsentSignals;
  /**
   * Whether ads of the service and of exchanges, and the trackers of buyers, wait until the player has decided. The game, its
   * house ads and test ads go on; placements show their fallback meanwhile.
   * @default false
   */
  readonly waitForConsent?: boolean;
  /**
   * The game is made for children, or the player is one (COPPA): ads are contextual only, and no identifier of a user or
   * device goes into an ad request.
   * @default false
   */
  readonly underAge?: boolean;
  /**
   * How often one advertiser may be seen: `{ perPage, perDay, storage }`. An ad above that is not shown. Left out: no limit.
   */
  readonly frequency?: FrequencyRule;
  /**
   * Keeps ads of one advertiser from hanging on neighbouring surfaces at once: with `true`, all surfaces of the game are
   * neighbours; an object names the neighbours of each surface, by id.
   * @default false
   */
  readonly separateAdvertisers?: MixRules['separateAdvertisers'];
  /**
   * Pass `GameMeter`, and the measuring code for all renderers is part of the file that imports it. Left out, the measuring code
   * for this game's renderer is loaded when the game begins, as a file of its own. That halves what is loaded first; but if the
   * connection breaks just then, Chromium does not ask for that file again, and no ad counts until the page is reloaded.
   */
  readonly meter?: typeof GameMeter;
  /**
   * Prints notes about oddities that are no faults, such as skipped list items.
   * @default false
   */
  readonly debug?: boolean;
}

/** What `ServiceClient` and `ServiceHooks` take, and `AdsGlobalPlugin` too. */
export type AdsOptions = AdsCredentials & AdsSettings;

/**
 * Ads from elsewhere than the service of contract v1. Credentials are needed for player accounts and reports only;
 * without them there are none of either.
 */
export type AdsSourceOptions = AdsSettings &
  (AdsCredentials | { readonly apiKey?: never; readonly privateKey?: never; readonly getToken?: never }) &
  (
    | {
        /** Where ads come from: `StaticAds`, `OpenRtbAds`, or any object with `getAdSurfaces` and `getAd`. */
        readonly source: AdService;
      }
    | {
        /**
         * Labelled test ads, made on the spot by a part of the package that is loaded for them, without any other request;
         * nothing is reported. An answer's name makes all of them fail in that way, see `TestAds`.
         */
        readonly testMode: true | TestAnswer;
      }
  );

/** What the `data` of `AdsGlobalPlugin` holds. With `testMode: false` as without it: some builds of a game set it, others do not. */
export type AdsPluginOptions = (AdsOptions & { readonly testMode?: false }) | AdsSourceOptions;
