/** Methods of an object that are Phaser's own render steps. */
const KNOWN = ['renderWebGL', 'renderWebGLFilters', 'stencilRenderStep', 'customContextRenderStep'] as const;

type Stepped = Partial<Record<(typeof KNOWN)[number], unknown>> & {
  readonly renderWebGLStep?: unknown;
  readonly _renderSteps?: readonly unknown[] | null;
};

/** True for an object of Phaser 4 with a render step that is none of Phaser's methods, or whose steps are unknown. */
export function hasForeignSteps(object: object): boolean {
  const stepped = object as Stepped;
  if (stepped.renderWebGLStep === undefined) return false;
  const steps = stepped._renderSteps;
  // Nearly all objects have this one step.
  if (steps?.length === 1 && steps[0] === stepped.renderWebGL) return false;
  return !Array.isArray(steps) || steps.some((step) => !KNOWN.some((name) => stepped[name] === step));
}
