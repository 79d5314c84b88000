import type { AlphaMap } from '../../measure/AlphaMap.js';
import { brightens, keepsAlpha } from '../draws/colourMatrix.js';
import { layoutBy, type VertexLayout as PlainLayout } from '../draws/DrawnVertices.js';
import { ProgramKind, type ProgramUse } from '../draws/DrawOp.js';
import { vignetteMap } from '../draws/vignetteMap.js';
import { withoutComments } from '../draws/withoutComments.js';
import type { ShaderProgram, VertexArray } from './Phaser4Renderer.js';

/** Where the numbers of a vertex lie. */
export interface VertexLayout extends PlainLayout {
  /** Since 4.2 the tint mode is the topmost of four bytes; before, it is a number of its own. */
  readonly hasPackedEffect: boolean;
  /** The part of the texture that is repeated, or that limits what is shown. */
  readonly frame: number;
}

/** What the name and the sources of a shader program of Phaser's tell of it. */
export interface Program {
  readonly kind: ProgramKind;
  /** First part of the name of its fragment shader. */
  readonly base: string;
  /** Positions are those of the whole target, from −1 to 1; otherwise they are in the target's pixels, from the top. */
  readonly isInClipSpace: boolean;
  /** All shapes show the first texture. */
  readonly isOfOneTexture: boolean;
  /** Texture coordinates are relative to the vertex's frame, which repeats beyond its edges. */
  readonly wraps: boolean;
  readonly isFilter: boolean;
  /** Of a filter: beyond the edge of its texture it repeats the pixels at the edge. */
  readonly smears: boolean;
  /** It leaves out some pixels of what is translucent, and draws the others opaque (`alphaStrategy`). */
  readonly discards: boolean;
}

const THRESHOLD = 'FilterThreshold';
const PIXELATE = 'FilterPixelate';
const SHADOW = 'FilterShadow';
const VIGNETTE = 'FilterVignette';

/** The most samples of a shadow (`FilterShadow.frag`). */
const SHADOW_SAMPLES = 12;

/** By the first part of the name a fragment shader is given. Filters that are not listed may paint all over their quad. */
const KINDS: ReadonlyMap<string, ProgramKind> = new Map<string, ProgramKind>([
  ['STANDARD', ProgramKind.TEXTURE],
  ['STANDARD_SINGLE', ProgramKind.TEXTURE],
  ['TILESPRITE', ProgramKind.TEXTURE],
  ['STRIP', ProgramKind.TEXTURE],
  ['FLAT', ProgramKind.TEXTURE],
  // Of rex plugins, with Phaser's own sources.
  ['REXTRI', ProgramKind.TEXTURE],
  ['POINTLIGHT', ProgramKind.POINT_LIGHT],
  ['FilterMask', ProgramKind.MASK],
  ['FilterColorMatrix', ProgramKind.RECOLOUR],
  [THRESHOLD, ProgramKind.RECOLOUR],
  [VIGNETTE, ProgramKind.COPY],
  ['FilterBlurLow', ProgramKind.AROUND],
  ['FilterBlurMed', ProgramKind.AROUND],
  ['FilterBlurHigh', ProgramKind.AROUND],
  ['FilterGlow', ProgramKind.AROUND],
  [SHADOW, ProgramKind.AROUND],
  [PIXELATE, ProgramKind.AROUND],
]);

/** Phaser's additions to those shaders that leave the result texture × vertex colour; any other is the game's. */
const ADDITION =
  /^(TexCoordOut|TexCoordFrameWrap|TexCoordFrameClamp|GetTexRes|SmoothPixelArt|\d+TexCount|GetTexture\d+|Tint|OutFrame|SELFSHADOW)$/;
const LIGHTING = /^(DefineLights|RotDatum|OutInverseRotation|NormalMap|FlatNormal|SampleNormal|ApplyLighting)$/;
const WRAP = 'TexCoordFrameWrap';
const DISCARD = /_AlphaDiscard(Dither|Threshold_[\d.]+)/;

/** Vertex shaders that put a vertex where its position says, in pixels or in the whole of the target. */
const IN_PIXELS = /gl_Position\s*=\s*uProjectionMatrix \* vec4\(inPosition, 1\.0, 1\.0\);/;
const IN_CLIP_SPACE = /gl_Position\s*=\s*vec4\(inPosition, 0(\.0)?, 1(\.0)?\);/;

/** Filters that sample their texture directly; the others use `boundedSampler`, which finds nothing beyond the edge. */
const SMEARS = /texture2D\(\s*uMainSampler/;

const WORD = 4;

const programs = new WeakMap<ShaderProgram, Program>();
const layouts = new WeakMap<VertexArray, VertexLayout | null>();

/** A program's shaders do not change: it is read once. */
export function programOf(shader: ShaderProgram): Program {
  let program = programs.get(shader);
  if (program === undefined) programs.set(shader, (program = readProgram(shader)));
  return program;
}

function readProgram({ vertexSource, fragmentSource }: ShaderProgram): Program {
  const name = /#define SHADER_NAME (\S+?)__FRAGMENT/.exec(fragmentSource)?.[1] ?? '';
  // A base name, and after two underscores what was added, or nothing.
  const [base = '', ...rest] = name.replace(DISCARD, '').replace(/_$/, '').split('__');
  const additions = rest.join('__').split('_').filter(Boolean);
  const isInClipSpace = IN_CLIP_SPACE.test(vertexSource);
  // A game may add lines that move the vertex after that.
  const isSetOnce = withoutComments(vertexSource).split('gl_Position').length === 2;
  const isInPlace = isSetOnce && (isInClipSpace || IN_PIXELS.test(vertexSource));
  const isFilter = isInClipSpace && base.startsWith('Filter');
  let kind = KINDS.get(base) ?? (isFilter ? ProgramKind.OVER : ProgramKind.FOREIGN);
  const isLit = additions.some((addition) => LIGHTING.test(addition));
  // The additions of a filter depend on its settings.
  if (!isFilter && !additions.every((addition) => ADDITION.test(addition) || LIGHTING.test(addition))) {
    kind = ProgramKind.FOREIGN;
  }
  if (isLit && kind === ProgramKind.TEXTURE) kind = ProgramKind.LIT;
  if (!isInPlace) kind = ProgramKind.ANYWHERE;
  return {
    kind,
    base,
    isInClipSpace,
    isOfOneTexture: isLit || base === 'STRIP' || base === 'STANDARD_SINGLE' || additions.includes('GetTexture1'),
    wraps: additions.includes(WRAP),
    isFilter,
    smears: isFilter && SMEARS.test(fragmentSource),
    discards: DISCARD.test(name),
  };
}

/**
 * What a program does as it is set now.
 * @param reachPx how far its filter may paint beyond its input, in pixels of the render target, by what Phaser says
 * @param size of the input texture
 */
export function useOf(
  { kind, base, discards }: Program,
  program: ShaderProgram,
  reachPx: number,
  size: readonly [width: number, height: number],
): ProgramUse {
  const use = {
    kind,
    isInverted: kind === ProgramKind.MASK && Boolean(uniformOf(program, 'invert')),
    reachPx: kind === ProgramKind.AROUND ? Math.max(reachPx, stirOf(base, program, size)) : 0,
    thickens: false,
    discards,
  };
  if (base === VIGNETTE) {
    const veil = vignetteOf(program);
    return veil === null ? { ...use, kind: ProgramKind.OVER } : { ...use, veil };
  }
  if (kind !== ProgramKind.RECOLOUR) return use;
  const alpha = base === THRESHOLD ? thresholdOf(program) : matrixOf(program);
  return { ...use, kind: alpha.staysInPlace ? kind : ProgramKind.OVER, thickens: alpha.thickens };
}

/** What a vignette lays over its input; null where it does not lay a colour over it. */
function vignetteOf(program: ShaderProgram): AlphaMap | null {
  const number = (name: string): number => Number(uniformOf(program, name));
  const [x = NaN, y = NaN] = (uniformOf(program, 'uPosition') ?? []) as number[];
  const [radius, strength] = [number('uRadius'), number('uStrength')];
  const isKnown = number('uBlendMode') === 0 && radius >= 0 && strength >= 0 && strength <= 1 && Number.isFinite(x + y);
  return isKnown ? vignetteMap(x, 1 - y, radius, strength, 1) : null;
}

/** How a filter that computes each pixel from this pixel alone changes what it hides. */
interface AlphaChange {
  /** Opaque pixels stay opaque, and empty pixels stay empty. */
  readonly staysInPlace: boolean;
  readonly thickens: boolean;
}

function matrixOf(program: ShaderProgram): AlphaChange {
  if (uniformOf(program, 'uAlpha') === 0) return { staysInPlace: true, thickens: false };
  const matrix = uniformOf(program, 'uColorMatrix[0]') ?? uniformOf(program, 'uColorMatrix');
  const of = matrix as ArrayLike<number> | undefined;
  if (of === undefined) return { staysInPlace: false, thickens: true };
  return { staysInPlace: keepsAlpha(of), thickens: brightens(of, 1) };
}

/** The threshold filter: colours and alpha rise from one edge to the other. */
function thresholdOf(program: ShaderProgram): AlphaChange {
  const of = (name: string): number[] => Array.from((uniformOf(program, name) ?? []) as ArrayLike<number>, Number);
  const [from, to, invert] = [of('edge1'), of('edge2'), of('invert')];
  const staysInPlace = [0, 1, 2, 3].every((i) => {
    const [low, high] = [from[i]!, to[i]!];
    const isRising = low >= 0 && high >= low && high <= 1 && (high > low || (low > 0 && low < 1));
    return isRising && invert[i] === 0;
  });
  const changesNothing = from.every((edge) => edge === 0) && to.every((edge) => edge === 1);
  return { staysInPlace, thickens: !changesNothing };
}

/**
 * How far a filter moves a pixel, in pixels, as its fragment shader says, where Phaser's padding is less than that: a
 * shadow's settings are shares of the input texture.
 */
function stirOf(base: string, program: ShaderProgram, [width, height]: readonly [number, number]): number {
  const number = (name: string): number => Number(uniformOf(program, name));
  if (base === PIXELATE) return Math.floor(2 + number('amount')) + 1;
  if (base !== SHADOW) return 0;
  const [x = NaN, y = NaN] = (uniformOf(program, 'lightPosition') ?? []) as number[];
  const samples = number('samples');
  const last = (Math.min(samples, SHADOW_SAMPLES) - 1) / Math.max(samples, SHADOW_SAMPLES);
  // The last sample lies beside the pixel by this share of the way to the light.
  const share = last * Math.abs(number('decay') * number('intensity'));
  const away = Math.max(
    Math.max(Math.abs(x), Math.abs(1 - x)) * width,
    Math.max(Math.abs(y), Math.abs(1 - y)) * height,
  );
  const reachPx = (share / (1 - share)) * away;
  const far = width + height;
  return share < 1 && reachPx <= far ? reachPx : far;
}

/** The value a uniform of a program is drawn with. */
export function uniformOf({ glUniforms, uniformRequests }: ShaderProgram, name: string): unknown {
  const requested = uniformRequests.get(name);
  if (requested !== undefined && requested !== null) return requested;
  return (glUniforms.get(name) as { readonly value?: unknown } | null | undefined)?.value;
}

/** The layout of the vertices; null when it is unknown. */
export function layoutOf(vertices: VertexArray): VertexLayout | null {
  let layout = layouts.get(vertices);
  if (layout === undefined) layouts.set(vertices, (layout = readLayout(vertices)));
  return layout;
}

function readLayout({ attributeBufferLayouts }: VertexArray): VertexLayout | null {
  const { layout } = attributeBufferLayouts[0] ?? {};
  if (layout === undefined || attributeBufferLayouts.length !== 1 || layout.stride % WORD !== 0) return null;
  const attributes = new Map(layout.layout.map((attribute) => [attribute.name, attribute]));
  const read = layoutBy(layout.stride, (name) => attributes.get(name)?.offset ?? -1);
  if (read.position < 0) return null;
  const frame = attributes.get('inFrame');
  return {
    ...read,
    hasPackedEffect: attributes.get('inTintEffect')?.size === 4,
    frame: frame === undefined ? -1 : frame.offset / WORD,
  };
}
