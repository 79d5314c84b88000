import { at, isObject, wordOf, type Json, type JsonObject } from './json.js';
import { nativeFault } from './nativeFault.js';

/** What Prebid Server finds wrong: errors refuse the request, warnings go into `ext.warnings`. */
export interface Findings {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const MEDIA = ['banner', 'video', 'audio', 'native'];
/** Parts of `imp.ext` that are no bidder. */
const NO_BIDDERS = ['prebid', 'data', 'context', 'gpid', 'skadn', 'tid', 'ae', 'igs'];

/** Looks at a request after stored parts were merged, in the order and the words of Prebid Server. May move bidders. */
export function validateRequest(request: JsonObject, bidders: readonly string[]): Findings {
  const warnings: string[] = [];
  const refused = (error: string): Findings => ({ errors: [error], warnings });
  const { id, tmax = 0, imp: imps, cur, site, app, dooh } = request;
  if (typeof id !== 'string' || id === '') return refused('request missing required field: "id"');
  if (Number(tmax) < 0) return refused(`request.tmax must be nonnegative. Got ${wordOf(tmax)}`);
  if (!Array.isArray(imps) || imps.length < 1) return refused('request.imp must contain at least one element.');
  if (Array.isArray(cur) && cur.length > 1) {
    request['cur'] = [cur[0] as Json];
    warnings.push(`A prebid request can only process one currency. Taking the first currency in the list, ${wordOf(cur[0] as Json)}, as the active currency`); // prettier-ignore
  }
  if ([site, app, dooh].filter((kind) => kind !== undefined).length !== 1) {
    return refused('No more than one of request.site or request.app or request.dooh can be defined');
  }
  if (isObject(site) && !site['id'] && !site['page']) {
    return refused('request.site should include at least one of request.site.id or request.site.page.');
  }
  const gdpr = at(request, 'regs', 'gdpr');
  if (gdpr !== undefined && gdpr !== 0 && gdpr !== 1) return refused('request.regs.gdpr must be either 0 or 1.');
  const seen = new Map<Json | undefined, number>();
  for (const [i, imp] of (imps as JsonObject[]).entries()) {
    const first = seen.get(imp['id']);
    if (first !== undefined) {
      return refused(`request.imp[${first}].id and request.imp[${i}].id are both "${wordOf(imp['id'])}". Imp IDs must be unique.`); // prettier-ignore
    }
    seen.set(imp['id'], i);
    const fault = impFault(imp, i, bidders, warnings);
    if (fault !== null) return refused(fault);
  }
  return { errors: [], warnings };
}

function impFault(imp: JsonObject, i: number, bidders: readonly string[], warnings: string[]): string | null {
  const { id, ext } = imp;
  if (typeof id !== 'string' || id === '') return `request.imp[${i}] missing required field: "id"`;
  if (Array.isArray(imp['metric']) && imp['metric'].length > 0) {
    return `request.imp[${i}].metric is not yet supported by prebid-server. Support may be added in the future`;
  }
  if (!MEDIA.some((medium) => imp[medium] !== undefined)) {
    return `request.imp[${i}] must contain at least one of "banner", "video", "audio", or "native"`;
  }
  const fault = isObject(imp['native']) ? nativeFault(imp['native'], i) : null;
  if (fault !== null) return fault;
  const mimes = at(imp, 'video', 'mimes');
  if (imp['video'] !== undefined && !(Array.isArray(mimes) && mimes.length > 0)) {
    return `request.imp[${i}].video.mimes must contain at least one supported MIME type`;
  }
  if (!isObject(ext)) return `request.imp[${i}].ext is required`;
  return bidderFault(ext, i, bidders, warnings);
}

/** Bidders may also stand right in `imp.ext`, as they used to; those that are none are then only warned of. */
function bidderFault(ext: JsonObject, i: number, bidders: readonly string[], warnings: string[]): string | null {
  const prebid = (ext['prebid'] ??= {}) as JsonObject;
  const isPromoted = at(ext, 'prebid', 'bidder') === undefined;
  const named: JsonObject = (prebid['bidder'] ??= {}) as JsonObject;
  if (isPromoted) {
    for (const [name, params] of Object.entries(ext)) {
      if (NO_BIDDERS.includes(name)) continue;
      if (bidders.includes(name)) named[name] = params;
      else warnings.push(`request.imp[${i}].ext contains unknown bidder: '${name}', ignoring`);
    }
  } else {
    const unknown = Object.keys(named).find((name) => !bidders.includes(name));
    if (unknown !== undefined) {
      return `request.imp[${i}].ext.prebid.bidder contains unknown bidder: ${unknown}. Did you forget an alias in request.ext.prebid.aliases?`;
    }
  }
  const stored = prebid['storedauctionresponse'];
  if (isObject(stored) && !stored['id']) {
    return `request.imp[${i}] has ext.prebid.storedauctionresponse specified, but "id" field is missing `;
  }
  if (Object.keys(named).length > 0) return null;
  return `request.imp[${i}].ext.prebid.bidder must contain at least one bidder`;
}
