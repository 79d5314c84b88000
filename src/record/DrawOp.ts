/** How what is drawn meets what is there. */
export interface DrawState {
  readonly isBlending: boolean;
  /** `blendFunc` and `blendEquation`, by the context's own numbers. */
  readonly source: number;
  readonly destination: number;
  readonly equation: number;
  readonly hasStencilTest: boolean;
  /** {@link UNKNOWN_FUNC} where only a part of the number is looked at or written. */
  readonly stencilFunc: number;
  readonly stencilRef: number;
  /** What becomes of the stencil where the test fails, and where it passes. */
  readonly stencilFail: number;
  readonly stencilPass: number;
  /** False while only the stencil is drawn on. */
  readonly hasColor: boolean;
  readonly hasScissor: boolean;
  /** x, y, width, height from the bottom left of what is drawn on. */
  readonly scissor: readonly [number, number, number, number];
  readonly viewport: readonly [number, number, number, number];
}

/** No function of the context's. */
export const UNKNOWN_FUNC = 0;

/** What a shader program makes of its texture. */
export const ProgramKind = {
  /** Texture × vertex colour. */
  TEXTURE: 0,
  /** The same in the light of lamps. */
  LIT: 1,
  /** What lies below a mask's alpha: the first texture where the second is opaque. */
  MASK: 2,
  /** A soft disc of light about a point. */
  POINT_LIGHT: 3,
  /** The texture as it is. */
  COPY: 4,
  /** A picture of as much alpha in the same place, in other colours. */
  RECOLOUR: 5,
  /** Something within the quad, nobody can tell what. */
  WITHIN: 6,
  /** Something as far around what is in the texture as the program reaches. */
  AROUND: 7,
  /** A shader of the game's own, drawn where its vertices are. */
  FOREIGN: 8,
  /** One whose vertices may be anywhere. */
  ANYWHERE: 9,
  /** Something anywhere in the quad, also where the texture shows nothing. */
  OVER: 10,
} as const;
export type ProgramKind = (typeof ProgramKind)[keyof typeof ProgramKind];

export type Ramp = readonly [from: number, to: number];

/** What a program does as it was set when something was drawn. */
export interface ProgramUse {
  readonly kind: ProgramKind;
  /** Of a mask: it hides where it is opaque. */
  readonly isInverted: boolean;
  /** How far it paints beyond what it is given, in pixels of what it draws on. */
  readonly reachPx: number;
  /** It may make what is faint hide more. */
  readonly thickens: boolean;
  /** Of a threshold: up to the first alpha nothing is left, from the second on it is opaque, and in between it rises evenly. */
  readonly ramp?: Ramp | undefined;
  /** Of what is faint it leaves some pixels out and draws the others whole. */
  readonly discards?: boolean;
}

/** Of the `effect` of a {@link Shape}: the vertex colour fills what is opaque of the texture, or takes its place. */
export const TINT_FILLS = 1;
export const IGNORES_TEXTURE = 2;
/** It mixes with the texture's in a way of its own, which leaves alpha as it is. */
export const TINT_MIXES = 3;

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
  /** x and y of three or four corners in order around, in pixels of what is drawn on, from the bottom left. */
  readonly xy: Float64Array;
  /** Coordinates in the texture, 0–1, of the same corners. */
  readonly uv: Float64Array;
  /** Their colours as 0xAARRGGBB. */
  readonly colors: Uint32Array;
  /** Texture unit. */
  readonly unit: number;
  readonly effect: number;
  readonly light: PointLight | null;
  /** The part of the texture in which {@link uv} counts, repeated without end: left, top, width and height of it; else absent. */
  readonly tile?: Float64Array;
}

/** A call that drew, with as much of it as may matter to an ad. */
export interface DrawOp {
  readonly type: 'draw';
  /** The texture drawn into; null for the screen. */
  readonly target: object | null;
  /** The game object it is charged to, or null. */
  readonly owner: object | null;
  readonly camera: object | null;
  readonly program: ProgramUse;
  /** By unit. */
  readonly textures: readonly (object | null)[];
  /** Width and height of each when it was shown: what is drawn on may be of another size later in the frame. */
  readonly sizes: readonly number[];
  readonly state: DrawState;
  readonly shapes: Shape[];
}

/** A call that cleared. */
export interface ClearOp {
  readonly type: 'clear';
  readonly target: object | null;
  readonly state: DrawState;
  readonly clearsColor: boolean;
  readonly clearsStencil: boolean;
  /** To what; absent for nothing, not a number where a part of each number stays. */
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
  /** From where its containers put it to the canvas: x' = a·x + c·y + e, y' = b·x + d·y + f. */
  readonly place: readonly [number, number, number, number, number, number];
}

export type RecordedOp = DrawOp | ClearOp | CopyOp | ForeignOp;
