import { oneFor } from '../../oneFor.js';
import { brightens, keepsAlpha } from '../draws/colourMatrix.js';
import { layoutBy, type VertexLayout } from '../draws/DrawnVertices.js';
import { ProgramKind, type ProgramUse } from '../draws/DrawOp.js';
import { vignetteMap } from '../draws/vignetteMap.js';
import { withoutComments } from '../draws/withoutComments.js';

type GL = WebGLRenderingContext;

/** Phaser's `WebGLShader`: its members that tell of its program. */
export interface PhaserShader {
  /** In versions without wrappers this is the context's program itself. */
  readonly program: { readonly webGLProgram?: WebGLProgram };
  readonly fragSrc: string;
  readonly vertSrc: string;
  readonly vertexSize: number;
  readonly attributes: readonly { readonly name: string; readonly offset: number }[];
  readonly uniforms: Readonly<Record<string, { readonly value1?: unknown; readonly value2?: unknown } | undefined>>;
}

/** A shader program of the context. */
export interface Program {
  readonly name: string | null;
  readonly kind: ProgramKind;
  readonly layout: VertexLayout;
  readonly shader: PhaserShader | null;
  readonly program: WebGLProgram;
  /** The source of its fragment shader. */
  readonly fragment: string;
  /** Vertices are canvas positions that a matrix projects; otherwise positions in the whole target, from −1 to 1. */
  readonly hasProjection: boolean;
}

/** By the `SHADER_NAME` of the fragment shader. */
const KINDS: Readonly<Record<string, ProgramKind>> = {
  PHASER_MULTI_FS: ProgramKind.TEXTURE,
  PHASER_SINGLE_FS: ProgramKind.TEXTURE,
  PHASER_MOBILE_FS: ProgramKind.TEXTURE,
  PHASER_LIGHT_FS: ProgramKind.LIT,
  PHASER_BITMAP_MASK_FS: ProgramKind.MASK,
  PHASER_POINTLIGHT_FS: ProgramKind.POINT_LIGHT,
  PHASER_COPY_FS: ProgramKind.COPY,
  PHASER_POSTFX_FS: ProgramKind.COPY,
  PHASER_COLORMATRIX_FS: ProgramKind.RECOLOUR,
  GRADIENT_FS: ProgramKind.RECOLOUR,
  SHINE_FS: ProgramKind.RECOLOUR,
  VIGNETTE_FS: ProgramKind.COPY,
  CIRCLE_FS: ProgramKind.OVER,
  WIPE_FS: ProgramKind.WITHIN,
  PHASER_ADD_BLEND_FS: ProgramKind.AROUND,
  PHASER_LINEAR_BLEND_FS: ProgramKind.AROUND,
  BARREL_FS: ProgramKind.AROUND,
  BLOOM_FS: ProgramKind.AROUND,
  BLUR_LOW_FS: ProgramKind.AROUND,
  BLUR_MED_FS: ProgramKind.AROUND,
  BLUR_HIGH_FS: ProgramKind.AROUND,
  BOKEH_FS: ProgramKind.AROUND,
  DISPLACEMENT_FS: ProgramKind.AROUND,
  GLOW_FS: ProgramKind.AROUND,
  PIXELATE_FS: ProgramKind.AROUND,
  SHADOW_FS: ProgramKind.AROUND,
};

/** The farthest sample of one blur pass, in offsets (`FXBlurHigh.frag`; the other qualities reach less far). */
const BLUR_REACH = 5.2;

/** The most samples of a shadow (`FXShadow.frag`). */
const SHADOW_SAMPLES = 12;

/** How far a glow reaches, in pixels: a number in its shader (`FXGlow.frag`). */
const GLOW_DISTANCE = /const float DIST = ([\d.]+);/;

/** Lines of vertex shaders that put a vertex at its position, and some then on a whole pixel. */
const IN_PLACE =
  /gl_Position = (uProjectionMatrix \* vec4\(inPosition, 1\.0, 1\.0\)|vec4\(inPosition, 0(\.0)?, 1(\.0)?\));/;
const ROUNDED = 'gl_Position.xy = floor(((gl_Position.xy + 1.0) * 0.5 * uResolution) + 0.5) / uResolution * 2.0 - 1.0;';

/** Code of the texture × colour fragment shaders (`Multi.frag`), without blanks: they read the texture, then tint it. */
const READING = /(else)?(if\(outTexId<[\d.]+\))?\{texture=texture2D\(uMainSampler\[\d+\],outTexCoord\);\}/g;
const TINTING =
  'vec4color=texture*texel;if(outTintEffect==1.0){color.rgb=mix(texture.rgb,outTint.bgr*outTint.a,texture.a);}' +
  'elseif(outTintEffect==2.0){color=texel;}gl_FragColor=color;}';
const TEXEL = 'vec4texel=vec4(outTint.bgr*outTint.a,outTint.a);';
const ONE = 'vec4texture=texture2D(uMainSampler,outTexCoord);';
const MULTIPLYING = [`vec4texture;${TEXEL}`, `${ONE}${TEXEL}`, `${TEXEL}${ONE}`].map((start) => `{${start}${TINTING}`);

/** The kind of a shader, Phaser's or a game's, found out once. */
export const shaderKind = oneFor(({ fragSrc, vertSrc }: Pick<PhaserShader, 'fragSrc' | 'vertSrc'>) =>
  kindOf(fragSrc, vertSrc),
);

function nameOf(fragment: string): string | null {
  return /#define SHADER_NAME (\w+)/.exec(fragment)?.[1] ?? null;
}

/**
 * The name alone is not enough: a game may start from a copy of Phaser's shader, name included, or give its own vertex
 * shader to a fragment shader of Phaser's.
 */
function kindOf(fragment: string, vertex: string): ProgramKind {
  const blanked = withoutComments(vertex).replace(/\s+/g, ' ');
  const rest = blanked.replace(IN_PLACE, '').replace(ROUNDED, '');
  if (rest.length === blanked.length || rest.includes('gl_Position')) return ProgramKind.ANYWHERE;
  const kind = KINDS[nameOf(fragment) ?? ''] ?? ProgramKind.FOREIGN;
  return kind === ProgramKind.TEXTURE && !multiplies(fragment) ? ProgramKind.FOREIGN : kind;
}

function multiplies(fragment: string): boolean {
  const body = withoutComments(fragment).replace(/\s+/g, '').replace(READING, '');
  const main = 'voidmain()';
  return MULTIPLYING.includes(body.slice(body.indexOf(main) + main.length));
}

/** Reads a program once: its shaders do not change. */
export function readProgram(gl: GL, program: WebGLProgram, shader: PhaserShader | null): Program {
  const [fragment, vertex] = shader === null ? sourcesOf(gl, program) : [shader.fragSrc, shader.vertSrc];
  const name = nameOf(fragment);
  const kind = kindOf(fragment, vertex);
  const layout = shader === null ? layoutInForce(gl, program) : layoutOf(shader);
  return { name, kind, layout, shader, program, fragment, hasProjection: vertex.includes('uProjectionMatrix') };
}

/** What a program does as it is set now. */
export function useOf(gl: GL, program: Program, width: number, height: number): ProgramUse {
  const { kind, name } = program;
  if (kind === ProgramKind.TEXTURE) return PLAIN;
  const value = (uniform: string): unknown => uniformOf(gl, program, uniform);
  let present: ProgramKind = kind;
  let thickens = false;
  if (name === 'PHASER_COLORMATRIX_FS' && numberOf(value('uAlpha')) !== 0) {
    const matrix = value('uColorMatrix') as ArrayLike<number> | undefined;
    // The matrix may paint where nothing was.
    if (!matrix || !keepsAlpha(matrix)) present = ProgramKind.OVER;
    thickens = !matrix || brightens(matrix, 255);
  } else if (name === 'SHINE_FS') {
    if (value('reveal')) present = ProgramKind.WITHIN;
    thickens = true;
  } else if (name === 'VIGNETTE_FS') {
    const [x = NaN, y = NaN] = (value('position') ?? []) as number[];
    const [radius, strength] = [Number(value('radius')), Number(value('strength'))];
    const isKnown = Number.isFinite(x + y + radius + strength);
    if (isKnown) return { ...PLAIN, kind, veil: vignetteMap(x, y, radius, strength, 3), erases: true };
    present = ProgramKind.WITHIN;
  }
  return {
    kind: present,
    isInverted: kind === ProgramKind.MASK && Boolean(value('uInvertMaskAlpha')),
    reachPx:
      kind === ProgramKind.AROUND
        ? Math.min(reachOf(program, value, Math.max(width, height)), Math.max(width, height))
        : 0,
    thickens,
  };
}

const PLAIN: ProgramUse = { kind: ProgramKind.TEXTURE, isInverted: false, reachPx: 0, thickens: false };

/** The value a uniform of a program has now. */
export function uniformOf(gl: GL, { shader, program }: Program, name: string): unknown {
  const uniform = shader?.uniforms[name];
  if (uniform !== undefined) {
    const { value1, value2 } = uniform;
    return value2 === undefined || value2 === null ? value1 : typeof value1 === 'boolean' ? value2 : [value1, value2];
  }
  const location = gl.getUniformLocation(program, name);
  return location === null ? undefined : (gl.getUniform(program, location) as unknown);
}

/**
 * How far a program paints beyond its input, in pixels, as its fragment shader says.
 * @param size of the input
 */
function reachOf({ name, fragment }: Program, value: (uniform: string) => unknown, size: number): number {
  switch (name) {
    case 'BLUR_LOW_FS':
    case 'BLUR_MED_FS':
    case 'BLUR_HIGH_FS':
      return BLUR_REACH * numberOf(value('strength')) * largest(value('offset'));
    case 'BLOOM_FS':
      return BLUR_REACH * largest(value('offset')) * size;
    case 'SHADOW_FS': {
      const far = numberOf(value('decay')) * numberOf(value('intensity')) * numberOf(value('samples'));
      return (far / SHADOW_SAMPLES) * (1 + largest(value('lightPosition'))) * size;
    }
    case 'PIXELATE_FS':
      return numberOf(value('amount')) + 3;
    case 'GLOW_FS':
      return Number(GLOW_DISTANCE.exec(fragment)?.[1] ?? size);
    case 'PHASER_ADD_BLEND_FS':
    case 'PHASER_LINEAR_BLEND_FS':
      return 0;
    default:
      return size;
  }
}

function numberOf(value: unknown): number {
  return Number.isFinite(value) ? Math.abs(value as number) : 1;
}

function largest(value: unknown): number {
  if (value === undefined || value === null) return 1;
  return Math.max(...Array.from(value as ArrayLike<number>, (part) => Math.abs(part)));
}

function layoutOf({ attributes, vertexSize }: PhaserShader): VertexLayout {
  return layoutBy(vertexSize, (name) => attributes.find((attribute) => attribute.name === name)?.offset ?? -1);
}

/** The layout the context holds for a program that is about to draw. */
function layoutInForce(gl: GL, program: WebGLProgram): VertexLayout {
  let stride = 0;
  const offsets = new Map<string, number>();
  const count = (gl.getProgramParameter(program, gl.ACTIVE_ATTRIBUTES) as number | null) ?? 0;
  for (let i = 0; i < count; i++) {
    const name = gl.getActiveAttrib(program, i)?.name;
    if (name === undefined) continue;
    const location = gl.getAttribLocation(program, name);
    if (location < 0) continue;
    stride = (gl.getVertexAttrib(location, gl.VERTEX_ATTRIB_ARRAY_STRIDE) as number | null) || stride;
    offsets.set(name, gl.getVertexAttribOffset(location, gl.VERTEX_ATTRIB_ARRAY_POINTER));
  }
  return layoutBy(stride, (name) => offsets.get(name) ?? -1);
}

function sourcesOf(gl: GL, program: WebGLProgram): [string, string] {
  let fragment = '';
  let vertex = '';
  for (const shader of gl.getAttachedShaders(program) ?? []) {
    const source = gl.getShaderSource(shader) ?? '';
    if (gl.getShaderParameter(shader, gl.SHADER_TYPE) === gl.FRAGMENT_SHADER) fragment = source;
    else vertex = source;
  }
  return [fragment, vertex];
}
