/** How often the product's timer looks whether a page may have changed, in milliseconds. */
const INTERVAL_MS = 500;

/**
 * Waits until a page has been looked at anew although nothing announced a change, where it may change so. It waits by such
 * a timer as the product's: a machine that stands still for a while delays both.
 */
export async function nextLook(): Promise<void> {
  for (let rounds = 0; rounds < 2; rounds++) await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  // The look itself waits for spare time, but not for long.
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 100 }));
}
