import { alwaysCovered } from './alwaysCovered.js';
import { behindBackground } from './behindBackground.js';
import { creativeCropped } from './creativeCropped.js';
import { creativeScaled } from './creativeScaled.js';
import type { LintRule } from './LintRule.js';
import { outsideCameraPath } from './outsideCameraPath.js';
import { squeezed } from './squeezed.js';
import { surfaceTwice } from './surfaceTwice.js';
import { tooBrief } from './tooBrief.js';
import { tooSmall } from './tooSmall.js';

/** Every rule of the placement linter. */
export const LINT_RULES: readonly LintRule[] = Object.freeze([
  tooSmall,
  squeezed,
  behindBackground,
  alwaysCovered,
  outsideCameraPath,
  tooBrief,
  creativeScaled,
  creativeCropped,
  surfaceTwice,
]);
