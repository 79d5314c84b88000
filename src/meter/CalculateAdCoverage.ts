/** Result of `calculateAdCoverage`. Areas in canvas pixels². */
export interface CalculateAdCoverage {
  /** `visibleArea > 0`. */
  readonly isVisible: boolean;
  /** `visibleArea` as a share of the canvas area, 0–100. */
  readonly screenCoveragePercentage: number;
  /** What the player sees of the ad through the camera. */
  readonly visibleArea: number;
  /** The ad's projected area through the camera, before any clipping. */
  readonly totalArea: number;
}
