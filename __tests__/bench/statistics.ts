/** The middle of the values; the mean of the two middle ones if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Half the width of the interval that holds the true median nineteen times in twenty (from the order statistics). */
export function medianError(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const reach = Math.ceil(0.98 * Math.sqrt(sorted.length));
  const low = sorted[Math.max(0, Math.floor(sorted.length / 2) - reach)] ?? Number.NaN;
  const high = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length / 2) - 1 + reach)] ?? Number.NaN;
  return (high - low) / 2;
}
