const LOOK_AGAIN_MS = 10;

/** Waits until the condition holds: as long as the test may take, since a slow machine is no fault. */
export async function until(condition: () => unknown): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}
