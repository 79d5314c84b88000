import { VIEWABILITY_STANDARDS } from '../../index.js';
import { listed } from '../nameOf.js';
import type { LintRule } from './LintRule.js';

const LEAST_PERCENTAGE = VIEWABILITY_STANDARDS.IIG_DISPLAY.minScreenPercentage ?? 0;

/** The ad takes less of the screen than an in-game ad has to. */
export const tooSmall: LintRule = {
  id: 'too-small',
  severity: 'error',
  judges: 'life',
  check({ frame, seen, canvas, followsWindow, screens }) {
    // An ad that comes nearer is judged by its largest size.
    const largest = Math.max(
      frame?.screenPercentage ?? 0,
      ((seen?.largestArea ?? 0) * 100) / (canvas.width * canvas.height),
    );
    // A canvas without a size makes it not-a-number.
    if (!(largest > 0)) return null;
    const shown = [{ ...canvas, percentage: largest }];
    if (followsWindow) {
      for (const { width, height } of screens) {
        shown.push({ width, height, percentage: (largest * canvas.width * canvas.height) / (width * height) });
      }
    }
    const smallest = shown.reduce((a, b) => (b.percentage < a.percentage ? b : a));
    if (smallest.percentage >= LEAST_PERCENTAGE) return null;
    const { width, height, percentage } = smallest;
    return {
      sentence: `The ad takes ${(Math.floor(100 * percentage) / 100).toFixed(2)} % of the screen at ${width} × ${height}. Standards for in-game ads ask for ${LEAST_PERCENTAGE} %.`,
      hint: `Make each side at least ${(Math.ceil(100 * Math.sqrt(LEAST_PERCENTAGE / percentage)) / 100).toFixed(2)} times as long, or bring the camera nearer.`,
    };
  },
};

const STEEPEST_DEG = VIEWABILITY_STANDARDS.IIG_DISPLAY.maxAngleDeg ?? 90;

/** The ad is squeezed as if it were a board turned too far away. */
export const squeezed: LintRule = {
  id: 'squeezed',
  severity: 'error',
  judges: 'frame',
  check({ frame }) {
    if (frame === null) return null;
    const angle = (Math.acos(Math.min(1, Math.max(0, frame.squeezeRatio))) * 180) / Math.PI;
    // The ratio is rounded on its way here.
    if (angle <= STEEPEST_DEG + 0.01) return null;
    return {
      sentence: `The ad is squeezed like a board turned away by ${Math.ceil(angle)}°. Standards count up to ${STEEPEST_DEG}°.`,
      hint: 'Bring scaleX and scaleY of the ad, its containers and the camera closer together.',
    };
  },
};

const LONG_IN_VIEW_MS = 1_000;

/** The background of the scene is drawn above the ad. */
export const behindBackground: LintRule = {
  id: 'behind-background',
  severity: 'error',
  judges: 'frame',
  check({ frame, inViewMs }) {
    // An ad that was in view for long was not behind the background then: the background came later.
    if (frame === null || frame.background === null || inViewMs >= LONG_IN_VIEW_MS) return null;
    return {
      sentence: `The background "${frame.background}" is drawn above the ad: nobody sees it.`,
      hint: 'Give the ad a depth above that of the background, or add it to the scene after the background.',
    };
  },
};

const LEAST_COVERED_MS = 2_000;
/** A menu may stay for long, but a cover that never goes is no menu. */
const LEAST_CURTAIN_MS = 30_000;

/** Whenever the ad is on the screen, something lies above most of it. */
export const alwaysCovered: LintRule = {
  id: 'always-covered',
  severity: 'error',
  judges: 'life',
  check({ seen, wasScreenFree }) {
    if (seen === null || seen.wasUncovered) return null;
    const isCurtain = !wasScreenFree && seen.curtainMs >= LEAST_CURTAIN_MS;
    if (seen.coveredMs < LEAST_COVERED_MS && !isCurtain) return null;
    const coveredMs = seen.coveredMs + (isCurtain ? seen.curtainMs : 0);
    const by = seen.coveredBy.length > 0 ? ` by ${listed(seen.coveredBy)}` : '';
    return {
      sentence: `For all of its ${(coveredMs / 1000).toFixed(0)} s on the screen, at least half of the ad was covered${by}.`,
      hint: 'Give the ad a higher depth than what covers it, or move one of the two.',
    };
  },
};

const LEAST_PLAYED_MS = 30_000;

/** No camera shows the ad: none can, or none has in a long time. */
export const outsideCameraPath: LintRule = {
  id: 'outside-camera-path',
  severity: 'warning',
  judges: 'life',
  check({ seen, isOutOfBounds, inViewMs }) {
    // An ad that was in view once is fine: bounds may be set anew, room by room.
    if (inViewMs > 0 || seen?.wasOnScreen === true) return null;
    if (isOutOfBounds) {
      return {
        sentence: 'The ad lies outside the bounds of every camera, so no camera can show it.',
        hint: 'Move the ad inside, or make the bounds larger with camera.setBounds().',
      };
    }
    if (seen === null || seen.playedMs < LEAST_PLAYED_MS) return null;
    return {
      sentence: `In ${(seen.playedMs / 1000).toFixed(0)} s of play no camera has shown the ad.`,
      hint: 'Put the ad where the player comes by, or place it only when the player comes near.',
    };
  },
};

const LEAST_VIEW_MS = 1_000;

/** The ad is gone before a second is over, which every standard asks for. */
export const tooBrief: LintRule = {
  id: 'too-brief',
  severity: 'warning',
  judges: 'life',
  check({ seen }) {
    if (seen === null || seen.views === 0 || seen.longestViewMs >= LEAST_VIEW_MS) return null;
    return {
      sentence: `The ad was in view for ${(Math.floor(seen.longestViewMs / 100) / 10).toFixed(1)} s at most. Standards ask for 1 s without a break.`,
      hint: 'Let it stay longer, make the camera pass it more slowly, or put it where nothing crosses it.',
    };
  },
};

const MOST_MAGNIFIED = 2;
const MOST_DISTORTED = 1.1;

/** The creative is shown much larger than it was made, or in other proportions. */
export const creativeScaled: LintRule = {
  id: 'creative-scaled',
  severity: 'warning',
  judges: 'frame',
  check({ picture }) {
    if (picture === null) return null;
    if (picture.magnification > MOST_MAGNIFIED) {
      return {
        sentence: `Each pixel of the creative is shown as ${picture.magnification.toFixed(1)} pixels across: it looks blurred.`,
        hint: 'Ask for a larger creative by the size of the surface, or make the ad smaller.',
      };
    }
    if (picture.distortion <= MOST_DISTORTED) return null;
    return {
      sentence: `The creative is stretched by ${Math.round((picture.distortion - 1) * 100)} % in one direction.`,
      hint: "Use fit: 'contain' or 'cover', equal scaleX and scaleY, or a surface of the shape of the ad.",
    };
  },
};

/** The words of the creative read backwards. */
export const mirrored: LintRule = {
  id: 'mirrored',
  severity: 'warning',
  judges: 'frame',
  check({ picture }) {
    if (picture?.isMirrored !== true) return null;
    return {
      sentence: 'The creative is mirrored: its words read backwards.',
      hint: 'Flip the other pictures of the container instead of the container, or flip the ad back by its flipX.',
    };
  },
};

const LEAST_SHOWN = 0.75;

/** So much of the creative is cut off that words or a logo may be gone. */
export const creativeCropped: LintRule = {
  id: 'creative-cropped',
  severity: 'warning',
  judges: 'frame',
  check({ picture }) {
    if (picture === null || picture.shownShare >= LEAST_SHOWN) return null;
    return {
      sentence: `Only ${Math.round(picture.shownShare * 100)} % of the creative is shown; the rest is cut off.`,
      hint: "Use fit: 'contain', or a surface of the shape of the ad.",
    };
  },
};

/** Two ads of one surface are in view side by side. */
export const surfaceTwice: LintRule = {
  id: 'surface-twice',
  severity: 'warning',
  judges: 'life',
  check({ twin }) {
    if (twin === null) return null;
    return {
      sentence: `"${twin}" shows an ad of the same surface at the same time. The player may see the same ad twice.`,
      hint: 'Use a surface of its own for each place that can be seen together with another.',
    };
  },
};

/** Every rule of the placement linter. */
export const LINT_RULES: readonly LintRule[] = Object.freeze([
  tooSmall,
  squeezed,
  behindBackground,
  alwaysCovered,
  outsideCameraPath,
  tooBrief,
  creativeScaled,
  mirrored,
  creativeCropped,
  surfaceTwice,
]);
