import { tsImport } from 'tsx/esm/api';

/**
 * Runs once before the first browser test. It finds the browser, so that a missing one is a single clear message and
 * not a failure in every file, and workers need not probe again; and it drops what earlier runs have built.
 */
export default async function browserSetup() {
  const { findBrowser, rememberBrowser } = await tsImport('./findBrowser.ts', import.meta.url);
  const { startRun } = await tsImport('./oncePerRun.ts', import.meta.url);
  rememberBrowser(await findBrowser());
  await startRun();
}
