import type { AlphaMap } from '../../measure/AlphaMap.js';

/** The state of the WebGL context in a draw: where it may paint, and how it combines with what is there. */
export interface DrawState {
  readonly isBlending: boolean;
  /** `blendFunc` and `blendEquation`, as WebGL constants. */
  readonly source: number;
  readonly destination: number;
  readonly equation: number;
  readonly hasStencilTest: boolean;
  /** {@link UNKNOWN_FUNC} where only some bits of the stencil are tested or written. */
  readonly stencilFunc: number;
  readonly stencilRef: number;
  /** What happens to the stencil where the test fails, and where it passes. */
  readonly stencilFail: number;
  readonly stencilPass: number;
  /** False while only the stencil is drawn on. */
  readonly hasColor: boolean;
  readonly hasScissor: boolean;
  /** x, y, width, height, from the bottom left of the target. */
  readonly scissor: readonly [number, number, number, number];
  readonly viewport: readonly [number, number, number, number];
}

/** A stencil function that WebGL does not have. */
export const UNKNOWN_FUNC = 0;

/** What a shader program makes of its texture. */
export const ProgramKind = {
  /** Texture × vertex colour. */
  TEXTURE: 0,
  /** Texture × vertex colour, lit by the scene's lights. */
  LIT: 1,
  /** A bitmap mask: the first texture where the second is opaque. */
  MASK: 2,
  /** A soft disc of light about a point. */
  POINT_LIGHT: 3,
  /** The texture as it is. */
  COPY: 4,
  /** A picture with the same alpha in the same place, in other colours. */
  RECOLOUR: 5,
  /** Something unknown within the quad. */
  WITHIN: 6,
  /** Something unknown, up to {@link ProgramUse.reachPx} around what is in the texture. */
  AROUND: 7,
  /** A shader of the game's own, drawn where its vertices are. */
  FOREIGN: 8,
  /** A shader whose vertices may end up anywhere. */
  ANYWHERE: 9,
  /** Something unknown anywhere in the quad, also where the texture shows nothing. */
  OVER: 10,
} as const;
export type ProgramKind = (typeof ProgramKind)[keyof typeof ProgramKind];

/** What a program does with the uniforms it had when something was drawn. */
export interface ProgramUse {
  readonly kind: ProgramKind;
  /** For a mask: it hides where it is opaque. */
  readonly isInverted: boolean;
  /** How far it paints beyond what is in its texture, in pixels of the target. */
  readonly reachPx: number;
  /** It may make faint pixels hide more. */
  readonly thickens: boolean;
  /** It discards some of the faint pixels and draws the others opaque. */
  readonly discards?: boolean;
  /** What it lays over its texture, from place to place in the texture's coordinates. */
  readonly veil?: AlphaMap;
  /** Its veil is transparent: what is below the texture shows through. */
  readonly erases?: boolean;
}

/**
 * Values of {@link Shape.effect}. The vertex colour fills the opaque part of the texture, and mixes with it where it is half
 * clear; or it replaces the texture.
 */
export const TINT_FILLS = 1;
export const IGNORES_TEXTURE = 2;
/** The vertex colour mixes with the texture's in another way, which leaves alpha as it is. */
export const TINT_MIXES = 3;
/** The vertex colour fills the texture as far as it is opaque. */
export const TINT_REPLACES = 4;
/** The vertex colour is added to the texture's: what becomes brighter than white hides more than its alpha tells. */
export const TINT_ADDS = 5;

/** A disc of light, in the same pixels as its {@link Shape}. */
export interface PointLight {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** How steeply it fades. */
  readonly attenuation: number;
  /** Its colour, 1 for full light and more. */
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** A quad or triangle as drawn. */
export interface Shape {
  /** x and y of three or four corners in order around, in pixels of the target, from the bottom left. */
  readonly xy: Float64Array;
  /** Coordinates in the texture, 0–1, of the same corners. */
  readonly uv: Float64Array;
  /** Their colours as 0xAARRGGBB. */
  readonly colors: Uint32Array;
  /** Texture unit. */
  readonly unit: number;
  readonly effect: number;
  readonly light: PointLight | null;
  /**
   * Left, top, width and height of the part of the texture that is repeated without end; {@link uv} is relative to it.
   * Absent where nothing is repeated.
   */
  readonly tile?: Float64Array;
}

/** A draw call, as far as it may matter to an ad. */
export interface DrawOp {
  readonly type: 'draw';
  /** The texture drawn into; null for the screen. */
  readonly target: object | null;
  /** The game object the draw is attributed to, or null. */
  readonly owner: object | null;
  readonly camera: object | null;
  readonly program: ProgramUse;
  /** The textures, by unit. */
  readonly textures: readonly (object | null)[];
  /** Width and height of each texture at the draw: a target may have another size later in the frame. */
  readonly sizes: readonly number[];
  readonly state: DrawState;
  readonly shapes: Shape[];
}

/** A clear call. */
export interface ClearOp {
  readonly type: 'clear';
  readonly target: object | null;
  readonly state: DrawState;
  readonly clearsColor: boolean;
  readonly clearsStencil: boolean;
  /** The value the stencil is cleared to. Absent for 0; NaN where only some bits are cleared. */
  readonly stencilValue?: number;
}

/** A part of one target copied into a texture. */
export interface CopyOp {
  readonly type: 'copy';
  readonly target: object | null;
  readonly from: object | null;
  /** Where the part's bottom left corner goes, where it comes from, and how large it is. */
  readonly toX: number;
  readonly toY: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An object whose own code was not run. */
export interface ForeignOp {
  readonly type: 'foreign';
  readonly target: object | null;
  readonly owner: object;
  readonly camera: object;
  readonly state: DrawState;
  /** Matrix from the coordinates of the object's containers to the canvas: x' = a·x + c·y + e, y' = b·x + d·y + f. */
  readonly place: readonly [number, number, number, number, number, number];
}

export type RecordedOp = DrawOp | ClearOp | CopyOp | ForeignOp;
