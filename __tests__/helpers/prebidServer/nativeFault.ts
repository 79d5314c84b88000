import { isObject, parseObject, type Json, type JsonObject } from './json.js';

const KINDS = ['title', 'img', 'video', 'data'];
/** From here on numbers are the exchange's own. */
const OWN = 500;

/** What Prebid Server finds wrong with a native request (Native 1.2 §4) that travels as a string; null for nothing. */
export function nativeFault(native: JsonObject, i: number): string | null {
  const at = `request.imp[${i}].native`;
  if (typeof native['request'] !== 'string' || native['request'] === '')
    return `${at} missing required property "request"`;
  const request = parseObject(native['request']);
  if (request === null) return 'expect { or n, but found something else';
  const { assets, eventtrackers = [], context = 0, plcmttype = 0 } = request;
  if (!isOneOf(context, 3) && context !== 0) return `${at}.request.context is invalid.`;
  if (!isOneOf(plcmttype, 4) && plcmttype !== 0) return `${at}.request.plcmttype is invalid.`;
  if (!Array.isArray(assets) || assets.length < 1) {
    return `${at}.request.assets must be an array containing at least one object`;
  }
  const ids = new Set<Json>();
  const hasIds = (assets as JsonObject[]).some(({ id }) => Boolean(id));
  for (const [a, asset] of (assets as JsonObject[]).entries()) {
    const fault = assetFault(asset, `${at}.request.assets[${a}]`);
    if (fault !== null) return fault;
    if (hasIds && ids.has(asset['id'] ?? 0)) return `${at}.request.assets[${a}].id is already being used by another asset. Each asset ID must be unique.`; // prettier-ignore
    ids.add(asset['id'] ?? 0);
  }
  for (const [t, tracker] of (eventtrackers as JsonObject[]).entries()) {
    const { event, methods = [] } = tracker;
    if (!isOneOf(event, 4)) return `${at}.request.eventtrackers[${t}].event is invalid.`;
    if (!Array.isArray(methods) || methods.length < 1) return `${at}.request.eventtrackers[${t}].method is required.`;
    const wrong = (methods as Json[]).findIndex((method) => !isOneOf(method, 2));
    if (wrong >= 0) return `${at}.request.eventtrackers[${t}].methods[${wrong}] is invalid.`;
  }
  return null;
}

function assetFault(asset: JsonObject, at: string): string | null {
  const { title, img, data } = asset;
  if (KINDS.filter((kind) => isObject(asset[kind])).length !== 1) {
    return `${at} must define exactly one of {title, img, video, data}`;
  }
  if (isObject(title) && !(Number(title['len']) >= 1)) return `${at}.title.len must be a positive number`;
  for (const size of ['w', 'h', 'wmin', 'hmin']) {
    if (isObject(img) && Number(img[size] ?? 0) < 0) return `${at}.img.${size} must be a positive integer`;
    // Go reads these into whole numbers.
    if (isObject(img) && !Number.isInteger(img[size] ?? 0)) return `cannot unmarshal ${at}.img.${size}`;
  }
  if (isObject(data) && !isOneOf(data['type'], 12)) return `${at}.data.type is invalid.`;
  return null;
}

function isOneOf(value: Json | undefined, last: number): boolean {
  return typeof value === 'number' && ((value >= 1 && value <= last) || value >= OWN);
}
