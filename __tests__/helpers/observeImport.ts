/**
 * Imports the package in a bare Node process and prints, as one JSON object, what that changed and what it exports.
 * Anything the package prints by itself spoils the JSON.
 */
const globalsBefore = new Set(Object.getOwnPropertyNames(globalThis));
const listenersBefore = new Set(process.eventNames());
const resourcesBefore = process.getActiveResourcesInfo();

const exported: object = await import('../../src/index.js');

// Files that the module loader itself is still reading or caching are none of the package's doing.
const newResources = process.getActiveResourcesInfo().filter((resource) => !resource.startsWith('FSReq'));
for (const resource of resourcesBefore) {
  const index = newResources.indexOf(resource);
  if (index >= 0) newResources.splice(index, 1);
}

console.log(
  JSON.stringify({
    newGlobals: Object.getOwnPropertyNames(globalThis).filter((name) => !globalsBefore.has(name)),
    newListeners: process
      .eventNames()
      .filter((name) => !listenersBefore.has(name))
      .map(String),
    newResources,
    exports: Object.keys(exported).sort(),
  }),
);

export {};
