/** Phaser's own steps of drawing an object, by the methods they are. */
const KNOWN = ['renderWebGL', 'renderWebGLFilters', 'stencilRenderStep', 'customContextRenderStep'] as const;

type Stepped = Partial<Record<(typeof KNOWN)[number], unknown>> & {
  readonly renderWebGLStep?: unknown;
  readonly _renderSteps?: readonly unknown[] | null;
};

/** True for an object of Phaser 4 that is drawn in steps of which some are none of Phaser's methods; or nobody knows which. */
export function hasForeignSteps(object: object): boolean {
  const stepped = object as Stepped;
  if (stepped.renderWebGLStep === undefined) return false;
  const steps = stepped._renderSteps;
  // Of nearly all there is this one.
  if (steps?.length === 1 && steps[0] === stepped.renderWebGL) return false;
  return !Array.isArray(steps) || steps.some((step) => !KNOWN.some((name) => stepped[name] === step));
}
