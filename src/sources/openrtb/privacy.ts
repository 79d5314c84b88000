import type { ConsentSignals } from '../../consentRules.js';
import { present } from '../../service/present.js';
import type { BidRequest } from './OpenRtbOptions.js';
import { type Fields, isObject } from './foreignValues.js';

/** `regs` and `user` of a request (OpenRTB 2.6 §3.2.3, §3.2.20): what is not known is left out. */
export function privacyOf(signals: ConsentSignals): Pick<BidRequest, 'regs' | 'user'> {
  const { gdprApplies, tcString, addtlConsent, gppString, gppSections, usPrivacy, globalPrivacyControl, underAge } = signals; // prettier-ignore
  const regs = present({
    coppa: underAge === true ? 1 : undefined,
    gdpr: gdprApplies === undefined ? undefined : Number(gdprApplies),
    us_privacy: usPrivacy,
    gpp: gppString,
    gpp_sid: gppSections,
    // A text, as the extension defines it. Nothing is sent for a player who has no such wish.
    ext: globalPrivacyControl === true ? { gpc: '1' } : undefined,
  });
  const providers = { ConsentedProvidersSettings: { consented_providers: addtlConsent } };
  // The extension is not defined by OpenRTB: in the form Prebid Server reads.
  const user = present({ consent: tcString, ext: addtlConsent === undefined ? undefined : providers });
  return present({ regs: isEmpty(regs) ? undefined : regs, user: isEmpty(user) ? undefined : user });
}

/** Fields kept of `user`: only what tells consent. */
const KEPT_OF_USER = ['consent'];
/** Fields kept of `device`: those that do not say whose device it is. */
const KEPT_OF_DEVICE = ['ua', 'sua', 'devicetype', 'make', 'model', 'os', 'osv', 'w', 'h', 'pxratio', 'js', 'language', 'langb', 'connectiontype']; // prettier-ignore
const KEPT_OF_GEO = ['country', 'utcoffset'];
/** Of extensions of the request, its `source` and its `regs`: games and bidders put identifiers there, too. */
const KEPT_OF_EXT = ['prebid', 'schain', 'omidpn', 'omidpv', 'gpc', 'gdpr', 'us_privacy', 'dsa'];

/**
 * A request for the ad of a child: whatever the game has added, it holds nothing that tells one player or device from
 * another, and says so (`regs.coppa`).
 */
export function contextualOnly(request: BidRequest): BidRequest {
  const { user, device, regs, source, ...rest } = withPlainExt(request);
  const userConsent = isObject(user) ? only(user, KEPT_OF_USER) : {};
  const geo = isObject(device) && isObject(device['geo']) ? only(device['geo'], KEPT_OF_GEO) : {};
  const plainDevice = isObject(device) ? only(device, KEPT_OF_DEVICE) : {};
  return {
    ...(rest as BidRequest),
    ...(isObject(source) ? { source: withPlainExt(source) } : {}),
    ...(isEmpty(userConsent) ? {} : { user: userConsent }),
    ...(isObject(device)
      ? { device: { ...plainDevice, ...(isEmpty(geo) ? {} : { geo }), lmt: 1 } }
      : {}),
    regs: { ...(isObject(regs) ? withPlainExt(regs) : {}), coppa: 1 },
  }; // prettier-ignore
}

function withPlainExt(fields: Fields): Fields {
  const { ext, ...rest } = fields;
  const { prebid, ...plain } = isObject(ext) ? only(ext, KEPT_OF_EXT) : {};
  const kept = prebid === undefined ? plain : { ...plain, prebid: withoutBidderData(prebid) };
  return isEmpty(kept) ? rest : { ...rest, ext: kept };
}

/** Prebid Server merges `bidderconfig` into what single bidders are sent, with a `user` of its own. */
function withoutBidderData(prebid: unknown): unknown {
  return isObject(prebid)
    ? Object.fromEntries(Object.entries(prebid).filter(([name]) => name !== 'bidderconfig'))
    : prebid;
}

function only(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}
