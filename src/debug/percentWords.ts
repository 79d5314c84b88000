/** How much of an ad is in view, for people: 100 % and 0 % are said only where nothing is missing, or nothing is there. */
export function percentWords({
  percentageInView,
  isFullyVisible,
}: {
  readonly percentageInView: number;
  readonly isFullyVisible: boolean;
}): string {
  if (isFullyVisible) return '100 %';
  if (percentageInView <= 0) return '0 %';
  return percentageInView < 1 ? '< 1 %' : `${Math.min(99, Math.round(percentageInView))} %`;
}
