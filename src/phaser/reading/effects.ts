import { SKIP_CHECK } from './blendModes.js';
import type { DrawnContainer, DrawnLayer, DrawnObject, EffectController, TexturedObject } from './internals.js';
import { isList } from './readers/list.js';

/** Pipelines that draw an object where and as opaque as its fields say; any other may do anything. */
const FAITHFUL_PIPELINES = new Set([
  'MultiPipeline',
  'MobilePipeline',
  'SinglePipeline',
  'RopePipeline',
  'MeshPipeline',
  'Light2D',
  'PointLightPipeline',
  'UtilityPipeline',
]);

/** The pipeline of `preFX`, which goes on drawing an object when its effects are off or taken away. */
export const FX_PIPELINE = 'FxPipeline';

/** `Phaser.FX`. */
const SHINE = 8;
const GRADIENT = 12;
const COLOR_MATRIX = 14;

/** `Phaser.FX`: effects that paint within the object's own quad. Any other, and any pipeline of a game's own, may not. */
const CONTAINED_EFFECTS = new Set([7 /* VIGNETTE */, SHINE, GRADIENT, COLOR_MATRIX, 15 /* CIRCLE */, 18 /* WIPE */]);

/**
 * `Phaser.FX`: effects after which `postFX` leaves the stencil test off, and with it geometry masks. Source: they end with
 * `copyToGame`, the others with `bindAndDraw`.
 */
export const UNMASKING_EFFECTS = new Set([9 /* BLUR */, 13 /* BLOOM */, COLOR_MATRIX, 17 /* DISPLACEMENT */]);

/** A pipeline of a game's own. */
const NO_EFFECT = -1;

/** The type of the effect that brings an object to the screen at last; null when it has none. */
export function lastPostEffectOf({ postPipelines }: DrawnObject): number | null {
  if (!postPipelines) return null;
  for (let i = postPipelines.length - 1; i >= 0; i--) {
    const { active, controller } = postPipelines[i]!;
    if (active) return controller?.type ?? NO_EFFECT;
  }
  return null;
}

/** Full light, and the error of a grey tone's numbers. */
const MOST_LIGHT = 1.001;

const SHADOW = 5;
const BLUR = 9;
const BLOOM = 13;

/** How far an effect of unknown reach is taken to paint, in canvas pixels. */
export const HALO_PX = 32;

/** The farthest sample of one blur pass, in offsets (`FXBlurHigh.frag`; the other qualities reach less far). */
const BLUR_REACH = 5.2;

/** Most samples of a shadow (`FXShadow.frag`). */
const SHADOW_SAMPLES = 12;

/**
 * True when pipelines or effects may move, hide or replace the object's pixels. Recolouring leaves a cover what it is;
 * an ad that is recoloured is not the advertiser's picture any more.
 */
export function isDistorted(object: DrawnObject, isAd: boolean): boolean {
  const { preFX, postPipelines, pipeline } = object;
  // Only this pipeline draws the effects of `preFX`, and recolouring ones fade towards the edge in it.
  if (pipeline?.name === FX_PIPELINE) {
    if (preFX?.list.some(isActive)) return true;
  } else if (pipeline?.name !== undefined && !FAITHFUL_PIPELINES.has(pipeline.name)) return true;
  const posts = postPipelines?.length ?? 0;
  if (posts === 0) return false;
  const mayRecolour = !isAd && (!isList(object) || isMixedPlainly(object));
  for (let i = 0; i < posts; i++) {
    const { active, controller } = postPipelines![i]!;
    if (active && !(mayRecolour && controller && keepsAlpha(controller))) return true;
  }
  return false;
}

/** True for effects that recolour an object and leave it as opaque as it is; a vignette makes what it darkens transparent. */
function keepsAlpha({ type, reveal, _matrix: matrix }: EffectController): boolean {
  if (type === GRADIENT) return true;
  if (type === SHINE) return reveal !== true;
  if (type !== COLOR_MATRIX || !matrix) return false;
  // The last of four rows of five: alpha comes from alpha alone.
  return matrix[15] === 0 && matrix[16] === 0 && matrix[17] === 0 && matrix[18] === 1 && matrix[19] === 0;
}

/**
 * True when an effect that {@link keepsAlpha} may make what is faint hide more than its alpha tells: a shine adds to alpha, a
 * colour matrix may give more light than alpha lets through. What is opaque hides all the same.
 */
export function mayThicken({ postPipelines }: DrawnObject): boolean {
  if (!postPipelines) return false;
  for (const { active, controller } of postPipelines) if (active && controller && thickens(controller)) return true;
  return false;
}

function thickens({ type, _matrix: matrix }: EffectController): boolean {
  if (type === SHINE) return true;
  if (type !== COLOR_MATRIX || !matrix) return false;
  return Math.max(mostLight(matrix, 0), mostLight(matrix, 5), mostLight(matrix, 10)) > MOST_LIGHT;
}

/** The most that a row of five of a colour matrix makes of any colour, 1 for full light; the fifth number counts 255 for it. */
function mostLight(matrix: ArrayLike<number>, row: number): number {
  let sum = Math.max(0, matrix[row + 4]! / 255);
  for (let i = row; i < row + 4; i++) sum += Math.max(0, matrix[i]!);
  return sum;
}

/**
 * True when everything in a list is drawn as NORMAL. Phaser brings a list with effects to the screen in the mode of what it
 * drew last, and a bitmap mask within takes the picture the effects are drawn onto for the screen.
 */
function isMixedPlainly(list: DrawnContainer | DrawnLayer): boolean {
  if ((list.blendMode !== SKIP_CHECK && list.blendMode !== 0) || list.mask?.bitmapMask) return false;
  for (const child of list.list) {
    if (isList(child) ? !isMixedPlainly(child) : child.blendMode !== 0 || child.mask?.bitmapMask) return false;
  }
  return true;
}

function isActive({ active }: EffectController): boolean {
  return active;
}

/** How far around itself an object with effects may paint, in canvas pixels. */
export function haloOf(object: DrawnObject & Partial<TexturedObject>, canvasSize: number): number {
  const { preFX, postPipelines } = object;
  let halo = 0;
  if (preFX) {
    for (const effect of preFX.list) if (effect.active) halo = Math.max(halo, effectReach(effect, canvasSize));
  }
  if (postPipelines) {
    for (const { active, controller } of postPipelines)
      if (active) halo = Math.max(halo, effectReach(controller, canvasSize));
  }
  return halo;
}

function effectReach(effect: EffectController | null | undefined, canvasSize: number): number {
  if (!effect) return HALO_PX;
  const { type, x = 0, y = 0, steps = 1, strength = 1, decay = 1, intensity = 1, samples = SHADOW_SAMPLES } = effect;
  if (CONTAINED_EFFECTS.has(type)) return 0;
  const { blurStrength = 1, offsetX = 1, offsetY = 1 } = effect;
  let reach = HALO_PX;
  // Shadows are cast from a point given in shares of the canvas.
  if (type === SHADOW)
    reach = ((decay * intensity * samples) / SHADOW_SAMPLES) * (1 + Math.max(Math.abs(x), Math.abs(y))) * canvasSize;
  else if (type === BLUR) reach = steps * BLUR_REACH * strength * Math.max(x, y);
  else if (type === BLOOM) reach = steps * BLUR_REACH * blurStrength * Math.max(offsetX, offsetY);
  return reach > 0 ? Math.min(reach, canvasSize) : HALO_PX;
}
