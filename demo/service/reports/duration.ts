const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A time span for people: `0.4 s`, `12.3 s`, `4 min 5 s`, `2 h 3 min`. */
export function duration(ms: number): string {
  if (ms < MINUTE_MS) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < HOUR_MS) return `${String(Math.floor(ms / MINUTE_MS))} min ${String(Math.floor((ms % MINUTE_MS) / 1000))} s`;
  return `${String(Math.floor(ms / HOUR_MS))} h ${String(Math.floor((ms % HOUR_MS) / MINUTE_MS))} min`;
}
