import type { AdSurface } from '../../service/AdService.js';
import type { BlockLists } from './blockLists.js';
import type { VideoMarkup } from './VideoMarkup.js';

/** The least a surface is worth. A bid below it, in the same currency, is not taken, even if the exchange lets it pass. */
export interface BidFloor {
  /** For a thousand impressions (CPM). */
  readonly price: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** An ad surface that is sold through OpenRTB; its `adSurfaceId` is the `tagid`. */
export interface OpenRtbSurface extends AdSurface {
  readonly floor?: BidFloor;
  /**
   * Id of the stored request of this surface at Prebid Server (`imp.ext.prebid.storedrequest.id`), which names its
   * bidders. Prebid Server refuses a surface without bidders.
   */
  readonly storedRequest?: string;
}

/** The part of a bid request (OpenRTB 2.6 §3.2) this package writes; everything else passes through. */
export interface BidRequest {
  readonly id: string;
  readonly imp: readonly object[];
  readonly site?: object;
  readonly app?: object;
  readonly cur: readonly string[];
  readonly at: number;
  readonly tmax: number;
  readonly test?: 1;
  readonly regs?: object;
  readonly user?: object;
  readonly [field: string]: unknown;
}

export interface OpenRtbOptions extends BlockLists {
  /** Where bid requests are posted: an exchange, or Prebid Server's `/openrtb2/auction`. https, or http on localhost. */
  readonly endpoint: string;
  /** The game's ad surfaces; each is sold under its id as `imp.tagid`. */
  readonly surfaces: readonly OpenRtbSurface[];
  /**
   * `site` of the request: who publishes the game. `domain` and `page` are those of this page where they are left out, if it
   * came by http(s).
   */
  readonly site?: object;
  /** `app` of the request, for a game in an app; then there is no `site`. */
  readonly app?: object;
  /**
   * The currency bids shall be in, ISO 4217.
   * @default 'USD'
   */
  readonly currency?: string;
  /**
   * How long an auction may take, in milliseconds, 50–30000.
   * @default 3000
   */
  readonly timeoutMs?: number;
  /**
   * Says that nothing may be billed (`test`).
   * @default false
   */
  readonly test?: boolean;
  /**
   * Id of the account's stored request at Prebid Server (`ext.prebid.storedrequest.id`). Prebid Server refuses a surface
   * for which neither this, nor the surface's own `storedRequest`, nor `complete` (`imp.ext.prebid.bidder`) names a bidder.
   */
  readonly storedRequest?: string;
  /**
   * Asks for videos, too, and reads their markup: `new VastVideo()`. Left out: images only.
   */
  readonly video?: VideoMarkup;
  /**
   * Asks Prebid Server for the account's own events (`ext.prebid.events`); those of the bid that is taken are called when
   * its ad hangs (`win`) and when it is first seen (`imp`).
   * @default false
   */
  readonly events?: boolean;
  /**
   * The word that tells the player that it is an ad, in the language of the game: `Ad.label` of each.
   * @default 'Ad'
   */
  readonly label?: string;
  /**
   * Posts the request as `text/plain` without headers of its own, so that browsers send it without asking first: Prebid
   * Server does not allow a page any other header. False posts `application/json` with `x-openrtb-version`, for an
   * exchange that insists on it and allows it to pages (`Access-Control-Allow-Headers`).
   * @default true
   */
  readonly plainText?: boolean;
  /**
   * Completes each request: `user`, `device`, the `ext` of the exchange. `regs` and `user.consent` hold what is known of
   * consent; for a child every identifier is taken out again afterwards. Returns the request to be sent, at once, not by a
   * promise; its `id` stays. Anything else fails the call with `config/option`, and nothing is sent.
   */
  readonly complete?: (request: BidRequest) => BidRequest;
}
