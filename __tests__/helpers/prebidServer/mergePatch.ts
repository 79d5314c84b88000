import { isObject, type Json, type JsonObject } from './json.js';

/** JSON Merge Patch (RFC 7396): what `patch` says counts, null takes away, lists are replaced whole. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name] ?? null, value);
  }
  return merged;
}
